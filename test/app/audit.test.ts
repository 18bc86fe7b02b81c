import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { pathToFileURL } from 'node:url'
import { audited } from '../../packages/operator/audited.ts'
import { boundedLines } from '../../services/audit/bounded.ts'
import { type AuditEntry, createAuditLog, verifyAudit } from '../../services/audit/index.ts'
import { createFileSizeLimit } from '../faults/file-size-limit.ts'
import { build, startNetwork, temporaryFolder } from '../helpers/app.ts'
import { takeTime } from '../helpers/clock.ts'
import { operatorTool } from '../helpers/operator.ts'
import { type Test, test } from '../helpers/tap.ts'
import { submit, transferBody } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

const entry = (action: string) => ({ actor: 'server', action, outcome: 'done' })

function appending(path: string, { lines = 1, before = '' }) {
  const module = pathToFileURL(join(import.meta.dirname, '../../services/audit/index.ts')).href
  const program = `import { createAuditLog } from '${module}'
    ${before}
    const { append } = createAuditLog(process.argv[2])
    for (let i = 0; i < ${lines}; i++) await append({ actor: 'server', action: 'line ' + i, outcome: 'done' })`
  const argv = ['--import', 'tsx', '--input-type=module', '-e', program, 'audit', path]
  return spawn(process.execPath, argv, { stdio: 'inherit' })
}

test('the audit log contains starts, rejected approvals, changed keys and operator commands', async t => {
  const SERVICE_AUDIT_FILE = join(temporaryFolder(t), 'audit.jsonl')
  const SERVICE_API_KEYS_FILE = join(temporaryFolder(t), 'keys.json')
  const variables = { SERVICE_AUDIT_FILE, SERVICE_API_KEYS_FILE, SERVICE_APPROVAL_CHECK: 'enforce' }
  const devnet = await startNetwork(t)
  const tool = operatorTool(t, devnet, variables)
  t.equal((await tool('keys', 'add', 'shop', '--scopes', 'submit')).code, 0)
  t.equal((await tool('keys', 'add', 'shop', '--scopes', 'submit')).code, 1)
  const server = await build(t, variables, { devnet })
  t.match((await server.inject('/submissions/none')).json(), { code: 'NOT_FOUND' })
  const refused = await server.inject({ method: 'POST', url: '/submit', payload: await transferBody(server) })
  t.match(refused.json(), { code: 'APPROVAL_INVALID' })
  await tool('keys', 'add', 'other', '--scopes', 'submit,read', '--quota=5', '--expires', '90d')
  await tool('keys', 'end', 'shop')
  await until(
    () => linesOf(SERVICE_AUDIT_FILE).some(({ details }) => details?.ended?.includes('shop')),
    'the server has loaded the keys'
  )
  await server.close()

  const all = linesOf(SERVICE_AUDIT_FILE)
  const read = all.filter(({ action }) => action === 'keys read')
  for (const line of read) t.match(line, { actor: 'server', outcome: 'done' })
  // The server might load the changes of both commands in a single read.
  for (const [change, names] of Object.entries({ added: ['other'], changed: [], ended: ['shop'] })) {
    t.same(
      read.flatMap(({ details }) => details[change]),
      names,
      change
    )
  }
  const settings = { SERVICE_APPROVAL_CHECK: 'enforce' }
  const operator = /^operator ./
  const [add, addOther] = [
    'keys add shop --scopes submit',
    'keys add other --scopes submit,read --quota 5 --expires 90d'
  ]
  t.match(
    all.filter(({ action }) => action !== 'keys read'),
    [
      { actor: operator, action: add, outcome: 'begun' },
      { actor: operator, action: add, outcome: 'done' },
      { actor: operator, action: add, outcome: 'begun' },
      { actor: operator, action: add, outcome: 'OperatorError' },
      {
        actor: 'server',
        action: 'start',
        details: { wallet: server.signer.address, chainId: /-devnet-1$/, settings }
      },
      { actor: 'public', action: 'approval', outcome: 'refused', details: { requestId: /./ } },
      { action: addOther, outcome: 'begun' },
      { action: addOther, outcome: 'done' },
      { action: 'keys end shop', outcome: 'begun' },
      { action: 'keys end shop', outcome: 'done' },
      { actor: 'server', action: 'stop' }
    ]
  )
  const text = readFileSync(SERVICE_AUDIT_FILE, 'utf8')
  const [{ keys }] = JSON.parse(readFileSync(SERVICE_API_KEYS_FILE, 'utf8')).callers
  t.notMatch(text, /tbe_|abandon|NODE_PROVIDER/i, 'contains no secret')
  t.notOk(text.includes(keys[0].hash))
  t.equal(statSync(SERVICE_AUDIT_FILE).mode & 0o777, 0o600)
  t.match(await tool('audit'), {
    code: 0,
    out: `${all.length} lines, the last one with hash ${all.at(-1).hash}\n`
  })
})

test('secrets pasted into a command line do not reach the audit log', async t => {
  const variables = {
    SERVICE_AUDIT_FILE: join(temporaryFolder(t), 'audit.jsonl'),
    SERVICE_API_KEYS_FILE: join(temporaryFolder(t), 'keys.json')
  }
  const tool = operatorTool(t, await startNetwork(t), variables)
  const key = (await tool('keys', 'add', 'shop', '--scopes', 'read')).out.trim().split('\n').at(-1) ?? ''
  for (const argv of [
    ['keys', 'rotate', key],
    ['keys', 'end', key],
    ['keys', key],
    ['keys', 'add', 'page', '--scopes', `read,${key}`],
    ['keys', 'add', 'page', '--scopes', 'read', '--origins', 'https://user:hunter2@a.example'],
    ['verify', '--node=http:/user:hunter2@127.0.0.1:1', '--from', '1'],
    ['verify', '--node', 'http://user:hun,hunter2@127.0.0.1:1'],
    ['verify', '--node', 'http:\\\\user:hunter2@127.0.0.1:1'],
    ['verify', '--node', 'user:hunter2@127.0.0.1:1'],
    ['verify', '--node', 'ws://user:hunter2@127.0.0.1:1'],
    ['verify', '--from', '1', 'hunter2'],
    ['verify', '--hunter2'],
    ['redeliver', '--abandoned', 'whsec_hunter2']
  ]) {
    t.not((await tool(...argv)).code, 0, argv.join(' '))
  }
  const harmless = [
    ['keys', 'rotate', 'shop', '--keep', '30m'],
    ['redeliver', '--submission', randomUUID()],
    ['list', '--state', 'queued'],
    ['bump-fee', '7', '--gas-price', '0.05', '--max-fee', '12']
  ]
  for (const argv of harmless) await tool(...argv)
  const text = readFileSync(variables.SERVICE_AUDIT_FILE, 'utf8')
  for (const argv of harmless) t.ok(text.includes(`"${argv.join(' ')}"`), argv.join(' '))
  t.notMatch(text, /hunter|tbe_/)
  t.match(linesOf(variables.SERVICE_AUDIT_FILE)[2], { action: 'keys rotate …' })
  t.match(text, /"verify --node … --from 1"/)
})

test('a command changes nothing if its audit line cannot be written', async t => {
  const folder = temporaryFolder(t)
  const SERVICE_API_KEYS_FILE = join(folder, 'keys.json')
  const SERVICE_AUDIT_FILE = join(folder, 'missing', 'audit.jsonl')
  const tool = operatorTool(t, await startNetwork(t), { SERVICE_AUDIT_FILE, SERVICE_API_KEYS_FILE })
  t.match(await tool('keys', 'add', 'shop', '--scopes', 'read'), {
    code: 1,
    out: '',
    err: /^SERVICE_AUDIT_FILE is not writable \(ENOENT\): nothing was done\n$/
  })
  t.notOk(existsSync(SERVICE_API_KEYS_FILE))
  t.match(await tool('audit'), {
    code: 1,
    err: /^SERVICE_AUDIT_FILE points to a file that cannot be read \(ENOENT\)\n$/
  })
})

test('a server does not start without its audit log, and later only logs that it cannot write', async t => {
  const folder = temporaryFolder(t)
  const devnet = await startNetwork(t)
  const start = (file: string, logTo = (_line: string) => {}) => {
    const SERVICE_AUDIT_FILE = join(folder, file)
    const variables = { SERVICE_AUDIT_FILE, SERVICE_APPROVAL_CHECK: 'enforce', LOG_LEVEL: 'error' }
    return build(t, variables, { devnet, logTo })
  }
  mkdirSync(join(folder, 'taken'))
  await t.rejects(start('taken'), { code: 'EISDIR' })
  const lines: string[] = []
  const server = await start('audit.jsonl', line => lines.push(line))
  rmSync(join(folder, 'audit.jsonl'))
  mkdirSync(join(folder, 'audit.jsonl'))
  const refused = await submit(server, await transferBody(server))
  t.match(refused.json(), { code: 'APPROVAL_INVALID' })
  t.match(
    lines.map(line => JSON.parse(line)),
    [{ level: 50, msg: 'failed to write the audit log', lines: 1, err: { code: 'EISDIR' } }]
  )
})

test('the audit log contains the exit code of a command that reports a problem', async t => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'audit.jsonl')
  t.equal(await audited(path, ['verify'], async () => 1), 1)
  t.match(linesOf(path), [{ outcome: 'begun' }, { outcome: 'exit code 1' }])
  const removing = async () => {
    rmSync(folder, { recursive: true })
    return 0
  }
  await t.rejects(audited(path, ['verify'], removing), {
    message: /: the command ran, but its outcome was not/
  })
})

test('warns about a world-writable audit log', async t => {
  const SERVICE_AUDIT_FILE = join(temporaryFolder(t), 'audit.jsonl')
  writeFileSync(SERVICE_AUDIT_FILE, '')
  chmodSync(SERVICE_AUDIT_FILE, 0o666)
  const lines: string[] = []
  await build(t, { SERVICE_AUDIT_FILE, LOG_LEVEL: 'warn' }, { logTo: line => lines.push(line) })
  t.match(lines.join(''), /the audit log is world-writable/)
})

test('counts excess lines of one actor in a minute, and still logs those of others', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const written: AuditEntry[] = []
  const { append, close } = boundedLines(async line => void written.push(line))
  const refusal = (actor: string) => ({
    actor,
    action: 'approval',
    outcome: 'refused',
    details: { requestId: '1' }
  })
  for (let count = 0; count < 100; count += 1) await append(refusal('public'))
  await append(refusal('caller shop'))
  t.match(written.at(-1), refusal('caller shop'))
  t.equal(written.length, 61)
  mock.timers.tick(60_000)
  const dropped = (count: number) => ({ ...refusal('public'), details: { dropped: count } })
  t.same(written.splice(61), [dropped(40)])
  for (let count = 0; count < 62; count += 1) await append(refusal('public'))
  await close()
  t.same(written.slice(-2), [refusal('public'), dropped(2)], 'the next minute has as many lines')
})

test('verification detects changed, missing and repeated lines', async t => {
  const path = join(temporaryFolder(t), 'audit.jsonl')
  const { append } = createAuditLog(path)
  // A single write appends all three.
  await Promise.all(['first', 'second', 'third'].map(action => append(entry(action))))
  const lines = readFileSync(path, 'utf8').split('\n')
  const [first = '', second = '', third = ''] = lines
  t.match(await verifyAudit(path), { lines: 3 })
  for (const [wrongLine, changed] of [
    [1, [second, third]],
    [2, [first, third]],
    [2, [first, second.replace('second', 'other'), third]],
    [3, [first, second, second]],
    [2, [first, second.replace('{', '{"actor":"nobody",'), third]],
    [2, [first, '', third]],
    [1, ['{}']]
  ] as const) {
    writeFileSync(path, `${changed.join('\n')}\n`)
    t.same(await verifyAudit(path), { wrongLine })
  }
})

test('an append replaces an incomplete last line and truncates long fields', async t => {
  const path = join(temporaryFolder(t), 'audit.jsonl')
  const { append } = createAuditLog(path)
  await append(entry('first'))
  appendFileSync(path, '{"time":"2026-01-01T00:00:00.000Z","act')
  await append(entry('second'))
  t.match(await verifyAudit(path), { lines: 2 })
  await append({ ...entry('third'), details: { long: 'x'.repeat(20_000) } })
  t.match(linesOf(path)[2], { details: { cut: true } })
  t.match(await verifyAudit(path), { lines: 3 })
  const long = '\u0001'.repeat(20_000)
  await append({ actor: 'server', action: `keys add ${long}`, outcome: long })
  t.match(linesOf(path)[3], { action: /^keys add /, details: { cut: true } })
  t.match(await verifyAudit(path), { lines: 4 })
})

test('a failed append leaves the log and its folder unchanged', async t => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'audit.jsonl')
  const { append } = createAuditLog(path)
  await append(entry('first'))
  const files = readdirSync(folder)
  const limit = createFileSizeLimit(t)
  limit.full()
  for (const action of ['second', 'third']) await t.rejects(append(entry(action)), { code: 'EFBIG' })
  limit.free()
  t.match(await verifyAudit(path), { lines: 1 })
  t.same(readdirSync(folder), files, 'leaves no file behind')
  takeTime(t)
  await append(entry('fourth'))
  t.match(await verifyAudit(path), { lines: 2 })
})

/** Starts a process that appends a line but is suspended before it flushes the line to disk. @returns the process */
async function stopsWhileAppending(t: Test, path: string) {
  const stopped = appending(path, { before: STOPPING })
  t.teardown(() => stopped.kill('SIGKILL'))
  await until(
    () => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n'),
    'the process has written a line'
  )
  return stopped
}

const STOPPING = `const { open } = await import('node:fs/promises')
  const file = await open(process.argv[2], 'a')
  const prototype = Object.getPrototypeOf(file)
  const { sync } = prototype
  await file.close()
  prototype.sync = function () {
    process.kill(process.pid, 'SIGSTOP')
    return sync.call(this)
  }`

test('an append times out while a suspended process holds the lock, and no earlier or later line is lost', async t => {
  const path = join(temporaryFolder(t), 'audit.jsonl')
  const { append } = createAuditLog(path)
  const stopped = await stopsWhileAppending(t, path)
  const time = takeTime(t)
  const late = append(entry('too late'))
  // The event loop keeps running while the append waits for the lock.
  await new Promise(resolve => setTimeout(resolve, 50))
  time.elapsed += 30_000
  await t.rejects(late, { name: 'FileLockedError' })
  stopped.kill('SIGCONT')
  if (stopped.exitCode === null) await once(stopped, 'exit')
  await append(entry('after'))
  t.match(linesOf(path), [{ action: 'line 0' }, { action: 'after' }])
  t.match(await verifyAudit(path), { lines: 2 })
})

test('concurrent processes keep the hash chain intact', async t => {
  const path = join(temporaryFolder(t), 'audit.jsonl')
  const child = appending(path, { lines: 50 })
  await until(() => existsSync(path), 'the process appends lines')
  const { append } = createAuditLog(path)
  // The log becomes longer than the parts that an append and the verification read at once.
  const long = 'x'.repeat(2000)
  for (let line = 0; line < 50; line += 1) await append(entry(`own line ${line} ${long}`))
  if (child.exitCode === null) await once(child, 'exit')
  t.match(await verifyAudit(path), { lines: 100 })
})
