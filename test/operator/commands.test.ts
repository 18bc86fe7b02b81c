import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OTHER_WALLET } from '../../packages/devnet/wallets.ts'
import { table } from '../../packages/operator/table.ts'
import { version } from '../../services/version.ts'
import { startNetwork, temporaryFolder } from '../helpers/app.ts'
import { eachStore } from '../helpers/durable-stores.ts'
import { startEngine, transferRequest } from '../helpers/engine-at.ts'
import { operatorTool, parsed } from '../helpers/operator.ts'
import { assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { startProcess } from '../helpers/process.ts'
import { root } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'
import { ownRequest } from '../helpers/transfer.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

const lines = (text: string) => text.trim().split('\n')

/** A client's own text, with characters that a terminal would interpret. */
const OPEN = 'open\u202e\u009b2J\u2028'

const WRITING = ['bump-fee', '0', '--gas-price', '1', '--max-fee', '1']

/** Errors of commands that write while a server runs. */
const IN_USE: Record<string, RegExp> = {
  sqlite: /^SERVICE_DATA_DIR: .* is in use by another server: stop it first$/,
  postgres: /^DATABASE_URL: the database is in use by a server or another operator command: stop it first$/
}

await eachStore('list, show and export read the store of a running server; others fail', async (t, place) => {
  const devnet = await startNetwork(t)
  let ageMs = 2 * 86_400_000
  const engine = await startEngine(t, devnet, {
    open: owner => place.open(owner, () => Date.now() - ageMs)
  })
  const tool = operatorTool(t, devnet, place.env)
  devnet.control.pause()
  const done = await engine.submit('done')
  for (const within of ['172000s', '2870m', '47h', '1d'])
    t.match(await tool('list', '--older-than', within), { code: 0, out: done.submissionId })
  for (const beyond of ['174000s', '2890m', '49h', '3d'])
    t.match(await tool('list', '--older-than', beyond), { code: 0, out: /^No submissions match\./ })
  ageMs = 0
  devnet.control.resume()
  await engine.engine.settled(done.submissionId, PATIENCE_MS)
  devnet.control.pause()
  const change = { senderPubKey: Uint8Array.of(2, 65) }
  const open = await engine.submit(OPEN, change)
  const isInSlot = async () => (await engine.store.find(open.submissionId))?.status === 'broadcast'
  await until(isInSlot, 'the submission is in a slot')

  const listed = await tool('list', '--json')
  t.equal(listed.code, 0)
  const first = { submissionId: done.submissionId, status: 'committed', slot: 0, txId: 1 }
  const second = { submissionId: open.submissionId, status: 'broadcast', slot: 1, txId: null }
  t.match(parsed(listed.out), [first, second])
  t.strictSame(lines((await tool('list', '--json', '--limit', '1')).out), lines(listed.out).slice(0, 1))
  const newest = await tool('list', '--newest', '--limit', '1')
  const only = /^Only the newest 1: see --limit and --newest\.$/
  t.match(lines(newest.out), [/^submissionId +status +slot/, open.submissionId, only])
  const broadcast = await tool('list', '--state', 'broadcast', '--limit', '5')
  t.match(lines(broadcast.out), [/^submissionId/, new RegExp(`^${open.submissionId} +broadcast +1 `)])

  const settled = JSON.parse((await tool('show', done.submissionId, '--json')).out)
  const { createdAt, updatedAt, height } = settled
  t.match(parsed(listed.out), [{ createdAt, updatedAt, height }, {}])
  const content = { creator: engine.address, amount: /^\d+\.\d{6}$/, targetChain: 'POL' }
  const resolved = { sequence: 0, state: 'resolved', origin: 'own', height }
  t.match(settled, { identities: ['fee:done'], slot: resolved, message: content })
  const written = [await tool('show', open.submissionId, '--json'), await tool('export')]
  for (const { out } of written) t.match(out, /^[\n -~]*open\\u202e\\u009b2J\\u2028[\n -~]*$/)
  const shown = JSON.parse(written[0]?.out ?? '')
  const signed = { gasLimit: Number, fee: /^\d+$/, messages: 1, containsIt: true }
  t.match(shown, { status: 'broadcast', slot: { sequence: 1, state: 'open', signedTxs: [signed] } })
  const [{ messages: _, containsIt: __, ...sent }] = shown.slot.signedTxs

  const [exported, ...more] = parsed((await tool('export')).out)
  t.strictSame(more, [], 'only unsettled submissions are exported')
  const slot = { sequence: 1, transactions: [{ ...sent, submissionIds: [open.submissionId] }] }
  t.match(exported, { submissionId: open.submissionId, identities: [`fee:${OPEN}`], slot })
  const creator = engine.address
  t.strictSame(exported.fields, { creator, ...ownRequest(OPEN).fields, senderPubKey: '0241' })
  const { message } = transferRequest(OPEN, { creator, ...change })
  t.equal(exported.message, Buffer.from(message).toString('base64'))
  const [{ hash, bytes }] = exported.slot.transactions
  t.equal(createHash('sha256').update(bytes, 'base64').digest('hex').toUpperCase(), hash)

  for (const argv of [WRITING, ['verify', '--from', '1', '--repair']]) {
    const { err, ...rest } = await tool(...argv)
    t.strictSame(rest, { code: 1, out: '' }, argv.join(' '))
    t.match(lines(err), [IN_USE[place.kind]])
  }
})

await eachStore('bump-fee re-signs a stuck slot, which is executed only once', async (t, place) => {
  const devnet = await startNetwork(t)
  devnet.control.setMinGasPrice('9')
  const first = await startEngine(t, devnet, { open: place.open })
  const { submissionId } = await first.submit('stuck')
  const isTooHigh = () => first.engine.health().blockers.some(({ kind }) => kind === 'fee-too-high')
  await until(isTooHigh, 'the fee exceeds what the engine would pay')
  await first.stop()

  const log: object[] = []
  const tool = operatorTool(t, devnet, place.env, line => log.push(line))
  const shown = JSON.parse((await tool('show', submissionId, '--json')).out)
  const { gasLimit, fee } = shown.slot.signedTxs.at(-1)
  const maxFee = String(9 * gasLimit)
  const bump = (slot: string, price: string, most: string, by = tool) =>
    by('bump-fee', slot, '--gas-price', price, '--max-fee', most)
  const strange = operatorTool(t, devnet, { ...place.env, SERVICE_BACKEND_MNEMONIC: OTHER_WALLET })
  const limited = (limit: number) =>
    operatorTool(t, devnet, { ...place.env, SERVICE_DAILY_FEE_LIMIT: String(limit) }, line => log.push(line))
  const isNotAbove = /is not above the current fee/
  const isBeyond = new RegExp(`^SERVICE_DAILY_FEE_LIMIT is reached: paid 0, inOpenSlots ${fee}, added`)
  t.match(await bump('0', '9', maxFee, limited(9 * gasLimit - 1)), { code: 1, err: isBeyond })
  t.match(await bump('0', '9', '10'), { code: 1, err: /is above --max-fee 10\n$/ })
  t.match(await bump('0', '0.025', fee), { code: 1, err: isNotAbove })
  t.match(await bump('5', '9', '10'), { code: 1, err: /^slot 5 is not open\n$/ })
  t.match(await bump('0', '9', maxFee, strange), { code: 1, err: /the wallet service1/ })
  const out = `with a fee of ${maxFee} uSERVICE instead of ${fee} uSERVICE.`
  t.match(await bump('0', '9', maxFee, limited(9 * gasLimit)), { code: 0, out })
  const line = { audit: true, actor: /^operator ./, action: 'bump-fee' }
  t.match(log[0], { ...line, outcome: 'failed' })
  t.match(log.at(-1), { ...line, outcome: 'done' })
  t.match(await bump('0', '9', maxFee), { code: 1, err: isNotAbove })
  const [{ slot }] = parsed((await tool('export')).out)
  t.match(slot.transactions, [{ fee }, { fee: maxFee }], 'both transactions may still be executed')

  const { engine } = await startEngine(t, devnet, { open: place.open })
  const submission = await engine.settled(submissionId, PATIENCE_MS)
  assertExactlyOnce(t, readChain(devnet, first.address), [{ feeId: 'stuck', submission }])
})

test('reports the argument and the expected value for an invalid command line', async t => {
  const devnet = await startNetwork(t)
  const tool = operatorTool(t, devnet, {})
  const key = ['keys', 'create', 'x', '--scopes', 'read']
  for (const [argv, err] of [
    [['lists'], 'unknown command lists (--help lists the commands)'],
    [['\u001b[2Jx'], 'unknown command \\u001b[2Jx (--help lists the commands)'],
    [['show', '--\u001b[2J'], "Unknown option '--\\u001b[2J'"],
    [['list', '--state', 'open'], '--state open: expected one of queued, broadcast, committed, rejected'],
    [['list', '--older-than', '7'], '--older-than 7: expected a duration such as 30s, 10m, 2h or 7d'],
    [['list', '--limit', '0'], '--limit 0: expected a whole number, at least 1'],
    [['list', 'x'], 'unexpected argument x'],
    [['show'], 'X is missing'],
    [['bump-fee', 'x', '--gas-price', '1', '--max-fee', '1'], 'SLOT x: expected a whole number'],
    [['bump-fee', '1', '--gas-price', '1'], '--max-fee is required'],
    [['bump-fee', '1', '--gas-price', 'x', '--max-fee', '1'], '--gas-price x: expected a decimal such as'],
    [['verify', '--from', '1', '--node', 'ftp://x'], '--node: expected an http(s) URL'],
    [['trigger', 'transfer.done'], 'TYPE transfer.done: expected one of submission.committed, '],
    [['trigger', 'service.blocked', '--status', 'Completed'], '--status: only transfer.finished has one'],
    [['trigger', 'transfer.finished', '--status', 'Pulled'], '--status Pulled: expected one of Completed, '],
    [['listen', '--forward', 'ftp://x'], '--forward: expected an http(s) URL'],
    [['redeliver', '--abandoned', '--submission', 'x'], 'expected either --submission or --abandoned'],
    [['keys', 'create', 'x', '--scopes', 'read,all'], 'the entry is malformed at `scopes.1`'],
    [[...key, '--origins', 'a,b/c'], 'the entry has an invalid origin for x: expected'],
    [[...key, '--quota', '0'], '--quota 0: expected'],
    [[...key, '--expires', 'soon'], '--expires soon: expected'],
    [[...key, '--expires', '999999999d'], 'the entry is malformed at `keys.0.expiresAt`']
  ] as const) {
    const result = await tool(...argv)
    t.equal(result.code, 2, argv.join(' '))
    t.equal(result.out, '')
    t.ok(result.err.startsWith(err), result.err)
    t.equal(lines(result.err).length, 1)
  }
})

test('--version and --help work without a configuration', async t => {
  const devnet = await startNetwork(t)
  const tool = operatorTool(t, devnet, { DOMAIN: '' })
  const { code, out } = await tool('--help')
  t.equal(code, 0)
  t.strictSame(await tool(), { code: 2, out, err: '' })
  const read = 'doctor find list show export backup verify'
  const write = 'cancel bump-fee redeliver send-test-event trigger listen keys'
  for (const name of `${read} ${write}`.split(' ')) {
    t.match(out, new RegExp(`^  ${name} +\\w`, 'm'))
    const usage = new RegExp(`^Usage: transaction-back-end-submissions ${name}`)
    t.match(await tool(name, '--help'), { code: 0, out: usage })
  }
  t.strictSame(await tool('--version'), { code: 0, out: `${version}\n`, err: '' })
  t.match(await tool('list'), { code: 1, err: /^DOMAIN is missing; expected origins/ })
})

test('a table that is wider than the terminal becomes lines, so nothing is cut off', async t => {
  const rows = [
    { id: 'one', txId: null },
    { id: 'two', txId: 100 }
  ]
  t.strictSame(table(rows, 8), ['id    one', 'txId  -', '', 'id    two', 'txId  100'])
})

test('finishes although its output is not read', async t => {
  const tool = ['--import', import.meta.resolve('tsx/esm'), join(root, 'packages/operator/cli.ts')]
  const script = '{ "$@"; echo "code $?" >&2; } | true'
  const shell = startProcess(t, 'sh', ['-c', script, 'sh', process.execPath, ...tool, '--help'])
  await shell.exited
  t.equal(shell.stderr, 'code 0\n')
})

test('reports a missing or damaged database in one line, and creates none', async t => {
  const devnet = await startNetwork(t)
  const directory = temporaryFolder(t)
  const tool = operatorTool(t, devnet, { SERVICE_DATA_DIR: directory })
  const assertFails = async (err: RegExp) => {
    for (const argv of [['list'], WRITING]) t.match(await tool(...argv), { code: 1, err })
  }
  await assertFails(/^SERVICE_DATA_DIR: .* has no database\n$/)
  t.notOk(existsSync(join(directory, 'submissions.db')))
  writeFileSync(join(directory, 'submissions.db'), '')
  await assertFails(/^SERVICE_DATA_DIR: .* has no database\n$/)
  writeFileSync(join(directory, 'submissions.db'), 'x'.repeat(5000))
  await assertFails(/^SERVICE_DATA_DIR: .* cannot be opened: file is not a database\n$/)
  const copy = join(directory, 'copy.db')
  t.match(await tool('backup', copy), { code: 1, err: /file is not a database/ })
  t.notOk(existsSync(copy))
})
