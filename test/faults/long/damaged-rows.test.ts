import { build, untilReady } from '../../helpers/app.ts'
import { eachStore } from '../../helpers/durable-stores.ts'
import { startEngine, transferRequest } from '../../helpers/engine-at.ts'
import { operatorQueries, operatorTool } from '../../helpers/operator.ts'
import { type Accepted, assertExactlyOnce, readChain } from '../../helpers/oracle/index.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'
import { storeWithOpenSlots } from '../../operator/open-slots.ts'

interface After {
  /** The row that the next start reports. */
  next?: string
  /** The submission whose outcome is unknown. */
  lost?: 'queued' | 'open' | 'executed'
  /** The request whose retry reads the row, if the engine does not. */
  retry?: 'done'
}

/** QUEUED, OPEN and EXECUTED are submissions, HASH is the transaction in slot 2. */
const DAMAGES: [row: string, column: string, sql: string, after?: After][] = [
  ['slot 2', 'origin', "UPDATE slot SET origin = 'own' WHERE sequence = 2"],
  ['slot 2', 'sequence', 'DELETE FROM signed_tx WHERE sequence = 2'],
  ['signed_tx HASH', 'bytes', 'UPDATE signed_tx SET bytes = BYTES WHERE sequence = 2'],
  ['signed_tx HASH', 'sequence', 'UPDATE signed_tx SET sequence = 9 WHERE sequence = 2', { next: '2' }],
  ['signed_tx HASH', 'submission_ids', "UPDATE signed_tx SET submission_ids = '[1]' WHERE sequence = 2"],
  ['signed_tx HASH', 'fee_amount', "UPDATE signed_tx SET fee_amount = '1.5' WHERE sequence = 2"],
  ['signed_tx HASH', 'gas_limit', 'UPDATE signed_tx SET gas_limit = -1 WHERE sequence = 2'],
  ['submission QUEUED', 'type_url', "UPDATE submission SET type_url = '' WHERE ID", { lost: 'queued' }],
  ['submission QUEUED', 'message', "UPDATE submission SET type_url = '/x' WHERE ID", { lost: 'queued' }],
  [
    'submission OPEN',
    'transaction_hash',
    "UPDATE submission SET transaction_hash = '' WHERE ID",
    { lost: 'open' }
  ],
  ['submission OPEN', 'updated_at', 'UPDATE submission SET updated_at = -1 WHERE ID', { lost: 'open' }],
  ['submission EXECUTED', 'sequence', 'UPDATE submission SET sequence = NULL WHERE ID', { lost: 'executed' }],
  ['identity gone', 'submission_id', "UPDATE identity SET submission_id = 'gone'", { retry: 'done' }]
]

/** Lets SQL violate constraints. */
const UNCHECKED = { sqlite: 'PRAGMA foreign_keys = OFF', postgres: 'SET session_replication_role = replica' }
const BYTES = { sqlite: "x'00'", postgres: "'\\x00'" }

for (const [named, column, sql, { next, lost, retry } = {}] of DAMAGES) {
  const title = `the engine stops until a damaged ${column} of ${named} is set aside`
  await eachStore(title, async (t, place) => {
    const { devnet, address, ids } = await storeWithOpenSlots(t, place)
    const [inSlot] = await (await operatorQueries(t, devnet, place.env)).signedTxs(2)
    const { queued, open, executed } = ids
    const [table, of = ''] = named.split(' ')
    const row = { QUEUED: queued, OPEN: open, EXECUTED: executed, HASH: `${inSlot?.hash}` }[of] ?? of
    const damage = sql.replace('BYTES', BYTES[place.kind]).replace('ID', `submission_id = '${row}'`)
    await place.execute(`${UNCHECKED[place.kind]}; ${damage}`)
    const requestOf = (feeId: string) => transferRequest(feeId, { creator: address })

    const lines: string[] = []
    const env = { ...place.env, LOG_LEVEL: 'error' }
    const server = await build(t, env, { devnet, logTo: line => void lines.push(line) })
    devnet.control.resume()
    if (retry) {
      await untilReady(server)
      await t.rejects(server.submissions.submit(requestOf(retry)), { code: 'SUBMISSION_DAMAGED' })
    }
    const engine = async () => (await server.inject('/ready')).json().checks.engine.detail
    await until(async () => (await engine()) === 'store-corrupt', 'the engine has stopped')
    const raised = lines.map(line => JSON.parse(line)).find(({ blocker }) => blocker === 'store-corrupt')
    t.equal(raised?.reason, `stored ${table} ${row} is damaged: column ${column}`)
    await t.rejects(server.submissions.submit(requestOf('new')), { code: 'INTAKE_CLOSED' })
    await until(() => devnet.chain.mempool.size === 0, 'a block has what was sent before')
    const signed = readChain(devnet, address).sequences.length
    const { height } = devnet.chain
    await until(() => devnet.chain.height > height + 3, 'a few blocks')
    t.equal(readChain(devnet, address).sequences.length, signed, 'nothing is sent')
    await server.close()

    const tool = operatorTool(t, devnet, place.env)
    t.match(await tool('set-aside', 'id-other'), { code: 1, err: /id-other is not damaged/ })
    t.match(await tool('set-aside', row), { code: 0, out: /^Set aside \w+ \S+\.\n$/, err: '' })
    if (next) t.match(await tool('set-aside', next), { code: 0 })
    t.match(await tool('set-aside', row), { code: 1, err: /is not damaged\n$/ })

    const again = await startEngine(t, devnet, { open: place.open })
    const accepted: Accepted[] = []
    const { submissionId: added } = await again.submit('new')
    for (const [feeId, id] of Object.entries({ ...ids, new: added })) {
      if (feeId === lost) continue
      accepted.push({ feeId, submission: await again.engine.settled(id, PATIENCE_MS) })
    }
    if (lost) {
      await t.rejects(again.engine.find(ids[lost]), { code: 'SUBMISSION_DAMAGED' })
      await t.rejects(again.submit(lost), { code: 'SUBMISSION_DAMAGED' }, 'a retry')
      t.match(await tool('list', '--state', 'damaged'), { code: 1, out: new RegExp(ids[lost]) })
    }
    if (retry) await t.rejects(again.submit(retry), { code: 'QUOTE_ALREADY_USED' })
    // What was executed without its transaction in the store seems to be another program's.
    const kinds = again.engine.health().blockers.map(({ kind }) => kind)
    const others = kinds.filter(kind => kind !== 'wallet-shared')
    t.same(others, [])
    const truth = readChain(devnet, address)
    if (lost) t.equal(truth.executions.get(lost) ?? 0, lost === 'executed' ? 1 : 0)
    const messages = truth.messages.filter(({ feeId }) => feeId !== lost)
    const executions = new Map([...truth.executions].filter(([feeId]) => feeId !== lost))
    assertExactlyOnce(t, { ...truth, messages, executions }, accepted)
  })
}
