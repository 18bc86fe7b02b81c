import { mock } from 'node:test'
import { Client } from 'pg'
import { selectListed } from '../../../../../services/submission/store/index.ts'
import { dialect } from '../../../../../services/submission/store/postgres/database.ts'
import { schema } from '../../../../../services/submission/store/postgres/schema.ts'
import { compile } from '../../../../../services/submission/store/sql.ts'
import { leadingStore } from '../../../../helpers/leading-store.ts'
import { startPostgres } from '../../../../helpers/postgres/index.ts'
import { openReplica, openWithOutbox, requestOf } from '../../../../helpers/postgres/replicas.ts'
import {
  block,
  committed,
  consumed,
  identifiedFilters,
  listingFilters,
  REFUSAL,
  signed,
  WALLET_STATE
} from '../../../../helpers/store-data.ts'
import { t as root, type Test, test } from '../../../../helpers/tap.ts'
import { quote } from '../../../quotes/quote.ts'

const postgres = await startPostgres(root)

const MANY = 200

/** The limit is higher than any operation needs, but far below one statement per item. */
const MOST_STATEMENTS = 25

/** Counts SQL statements. @returns a function that returns the count since its last call */
function countStatements(t: Test): () => number {
  const { mock: sent } = mock.method(Client.prototype, 'query')
  t.teardown(() => sent.restore())
  return () => {
    // A session sends `SELECT` as a heartbeat.
    const statements = sent.calls.filter(({ arguments: [text] }) => String(text) !== 'SELECT')
    sent.resetCalls()
    return statements.length
  }
}

const numbers = Array.from({ length: MANY }, (_, number) => number)
const isEven = (number: number) => number % 2 === 0

/** Creates a database with 20,000 submissions. Every second submission has a caller, and a few are rejected. */
async function openFull(t: Test): Promise<Client> {
  const client = new Client(await postgres.createDatabase())
  await client.connect()
  t.teardown(() => client.end())
  await client.query(schema)
  await client.query(`INSERT INTO submission
      (wallet_id, submission_id, content_hash, type_url, message, status, tx_id, caller, created_at, updated_at,
       origin_address, target_address, transaction_hash)
    SELECT 1, 'id-' || number, '', '', '', CASE number % 1000 WHEN 0 THEN 'rejected' ELSE 'committed' END, number,
      CASE number % 2 WHEN 0 THEN 'shop' END, number / 2000, 0,
      '0xab', '0xab', md5(number::text)
    FROM generate_series(1, 20000) AS number`)
  return client
}

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

function rowsRead(plan: Plan): number {
  const { 'Actual Rows': found, 'Rows Removed by Filter': removed = 0, 'Actual Loops': loops } = plan
  const own = plan['Relation Name'] === 'submission' ? (found + removed) * loops : 0
  return (plan.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), own)
}

test('reads only the rows on the requested page for every list filter', async t => {
  const client = await openFull(t)
  for (const statistics of ['', 'ANALYZE']) {
    await client.query(statistics)
    const counts = []
    for (const filter of [...listingFilters, ...identifiedFilters]) {
      const { text, values } = compile(selectListed(1, filter, 10), dialect)
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
      counts.push({ filter, read: rowsRead(rows[0]['QUERY PLAN'][0].Plan) })
    }
    t.ok(counts.some(({ read }) => read >= 10))
    t.strictSame(
      counts.filter(({ read }) => read > 30),
      [],
      'at most one page per status, or per end of an address, and the page itself'
    )
  }
})

test('runs a bounded number of statements for many submissions', async t => {
  const statementsSent = countStatements(t)
  const { outbox, replica } = await openWithOutbox(t, await postgres.createDatabase())
  const store = await leadingStore(replica)
  await store.putWalletState(WALLET_STATE)
  const requests = numbers.map(number => requestOf(`content ${number}`, `fee-${number}`))
  const submissionIds = requests.map(({ submissionId }) => submissionId)

  async function few(what: string, work: () => Promise<unknown>): Promise<void> {
    statementsSent()
    await work()
    const statements = statementsSent()
    t.ok(statements > 0 && statements <= MOST_STATEMENTS, `${what}: ${statements} statements`)
  }

  const requeued = submissionIds.map(submissionId => ({ submissionId, status: 'queued' as const }))
  const settled = submissionIds.map((submissionId, number) =>
    isEven(number)
      ? committed(submissionId, number + 1)
      : { submissionId, status: 'rejected' as const, error: REFUSAL }
  )
  await few('take', () => store.take(requests))
  for (const [index, outcomes] of [requeued, settled].entries()) {
    const sequence = WALLET_STATE.nextSequence + index
    await few('open a slot', () => store.openSlot(signed(sequence, submissionIds)))
    await few('add a signed transaction', () =>
      store.addSignedTx(signed(sequence, submissionIds, `other ${sequence}`))
    )
    const height = WALLET_STATE.cursorHeight + 1 + index
    await few('apply a block', () => store.applyBlock(block(height, consumed(sequence, outcomes))))
  }
  const found = await store.findSettled(submissionIds)
  t.equal(found.filter(({ status }) => status === 'committed').length, MANY / 2)
  t.equal(found.filter(({ status }) => status === 'rejected').length, MANY / 2)

  const claimed = await outbox.claim(MANY)
  t.equal(claimed.length, MANY)
  await few('record deliveries', () =>
    outbox.record(claimed.map(event => ({ ...event, outcome: 'delivered' })))
  )
  const transfers = await outbox.claimTransfers(MANY)
  t.equal(transfers.length, MANY / 2)
  await few('finish transfers', () => outbox.finish(transfers.map(transfer => ({ transfer, record: {} }))))
  t.match(await outbox.backlog(), { pending: MANY / 2 })
})

test('combines reads, and quotes to store, from the same event-loop turn', async t => {
  const statementsSent = countStatements(t)
  const { take, find, join, putQuote, findQuote } = await openReplica(t, await postgres.createDatabase())
  const requests = numbers.map(number => requestOf(`content ${number}`, `fee-${number}`))
  await take(requests)
  const { isRefused: _, ...terms } = quote('fee', Date.now() + 60_000)
  const network = 'testnet'

  statementsSent()
  const put = numbers.map(number =>
    putQuote({ ...terms, feeId: `fee-${number}`, network, client: 'shopper' })
  )
  t.ok((await Promise.all(put)).every(Boolean))
  const [submissions, joined, found] = await Promise.all([
    Promise.all(requests.map(({ submissionId }) => find(submissionId))),
    Promise.all(requests.map(request => join(request))),
    Promise.all(numbers.map(number => findQuote({ network, feeId: `fee-${number}` }))),
    t.equal(await find('no such id'), undefined)
  ])
  const statements = statementsSent()
  t.ok(statements > 0 && statements <= MOST_STATEMENTS, `${statements} statements`)
  const expected = requests.map(({ submissionId }) => submissionId)
  t.strictSame(
    submissions.map(submission => submission?.submissionId),
    expected
  )
  t.strictSame(
    joined.map(result => (result?.status === 'joined' ? result.submission.submissionId : undefined)),
    expected
  )
  t.match(
    found,
    numbers.map(number => ({ feeId: `fee-${number}` }))
  )
})
