import { build, untilReady } from '../helpers/app.ts'
import { durableStores } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { operatorQueries, operatorTool } from '../helpers/operator.ts'
import { type Accepted, assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { test } from '../helpers/tap.ts'
import { transferRequest } from '../helpers/transfer-request.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'
import { storeWithOpenSlots } from '../operator/open-slots.ts'

type Ids = Awaited<ReturnType<typeof storeWithOpenSlots>>['ids']

interface Case {
  /** The damage. `HASH` is the hash of the signed transaction in slot 2, as in `reason`. */
  sql: (ids: Ids) => string
  /** The row that the operator sets aside, as `reason` names it. */
  row: string | ((ids: Ids) => string)
  reason: RegExp
  /** The row that the next start then reports. */
  next?: string
  /** The submission whose outcome is unknown after that. */
  lost?: keyof Ids
  /** The request whose retry reads the row, if the engine does not. */
  retry?: keyof Ids
}

const ofSubmission = (name: keyof Ids, column: string, value: string): Case => ({
  sql: ids => `UPDATE submission SET ${column} = ${value} WHERE submission_id = '${ids[name]}'`,
  row: ids => ids[name],
  reason: new RegExp(`^stored submission \\S+ is damaged: column ${column}$`),
  lost: name
})

const slot = (sequence: number, sql: string, column: string): Case => ({
  sql: () => sql,
  row: String(sequence),
  reason: new RegExp(`^stored slot ${sequence} is damaged: column ${column}$`)
})

const cases: Record<string, Case> = {
  'a slot': slot(2, "UPDATE slot SET origin = 'own' WHERE sequence = 2", 'origin'),
  'a slot without its transaction': slot(2, 'DELETE FROM signed_tx WHERE sequence = 2', 'sequence'),
  'a slot without its transaction, which is in a block': slot(
    1,
    'DELETE FROM signed_tx WHERE sequence = 1',
    'sequence'
  ),
  'a signed transaction': {
    sql: () => 'UPDATE signed_tx SET bytes = BYTES WHERE sequence = 2',
    row: 'HASH',
    reason: /^stored signed_tx HASH is damaged: column bytes$/
  },
  'the slot of a signed transaction': {
    sql: () => 'UPDATE signed_tx SET sequence = 9 WHERE sequence = 2',
    row: 'HASH',
    reason: /^stored signed_tx HASH is damaged: column sequence$/,
    next: '2'
  },
  'a queued submission': ofSubmission('queued', 'type_url', "''"),
  'the time of a queued submission': ofSubmission('queued', 'created_at', '-1'),
  'a broadcast submission': ofSubmission('open', 'updated_at', '-1'),
  'a broadcast submission that is in a block': ofSubmission('executed', 'sequence', 'NULL'),
  'an identity': {
    sql: () => "UPDATE identity SET submission_id = 'gone' WHERE key = 'fee:done'",
    row: 'gone',
    reason: /^stored identity gone is damaged: column submission_id$/,
    retry: 'done'
  }
}

/** Lets SQL violate constraints. */
const UNCHECKED = { sqlite: 'PRAGMA foreign_keys = OFF', postgres: 'SET session_replication_role = replica' }
const BYTES = { sqlite: "x'00'", postgres: "'\\x00'" }

for (const [name, { newPlace }] of Object.entries(await durableStores())) {
  const dialect = name === 'sqlite' ? 'sqlite' : 'postgres'

  for (const [title, { sql, row: of, reason, next, lost, retry }] of Object.entries(cases)) {
    test(`${name}: the engine stops until a damaged row is set aside: ${title}`, async t => {
      const place = await newPlace(t)
      const { devnet, address, ids } = await storeWithOpenSlots(t, place)
      const queries = await operatorQueries(t, devnet, place.env)
      const hash = String((await queries.signedTxs(2))[0]?.hash)
      await place.execute(`${UNCHECKED[dialect]}; ${sql(ids).replace('BYTES', BYTES[dialect])}`)
      const row = (typeof of === 'string' ? of : of(ids)).replace('HASH', hash)
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
      t.match(raised?.reason.replace(hash, 'HASH'), reason)
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
      t.same(
        kinds.filter(kind => kind !== 'wallet-shared'),
        []
      )
      const truth = readChain(devnet, address)
      if (lost) t.equal(truth.executions.get(lost) ?? 0, lost === 'executed' ? 1 : 0)
      const messages = truth.messages.filter(({ feeId }) => feeId !== lost)
      const executions = new Map([...truth.executions].filter(([feeId]) => feeId !== lost))
      assertExactlyOnce(t, { ...truth, messages, executions }, accepted)
    })
  }
}
