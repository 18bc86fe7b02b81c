import { join } from 'node:path'
import Database from 'libsql'
import { createSqliteStore } from '../../../../services/submission/store/sqlite/index.ts'
import { temporaryFolder } from '../../../helpers/app.ts'
import { leadingStore } from '../../../helpers/durable-stores.ts'
import { test } from '../../../helpers/tap.ts'
import { quote } from '../../quotes/quote.ts'
import {
  block,
  committed,
  consumed,
  identifiedFilters,
  listingFilters,
  REFUSAL,
  signed,
  WALLET_STATE
} from '../store-data.ts'
import { requestOf } from './postgres/replicas.ts'

/**
 * Query plan steps that read all rows of a wallet. The wallet's other indexes contain only queued, due or watched rows.
 */
const READS_ALL = [
  /^SCAN (submission|identity|event|quote|former_tx)\b/,
  /^SEARCH .* (sqlite_autoindex_\w+|submission_by_slot|submission_settled|submission_by_status) \(wallet_id=\?\)$/
]

test('every SQLite statement uses an index', async t => {
  const folder = temporaryFolder(t)
  const texts = new Set<string>()
  const { prepare } = Database.prototype
  t.teardown(() => Reflect.set(Database.prototype, 'prepare', prepare))
  Reflect.set(Database.prototype, 'prepare', function (this: Database.Database, text: string) {
    texts.add(text)
    return prepare.call(this, text)
  })
  const store = await leadingStore(createSqliteStore(folder, Date.now, {}))
  const { outbox } = store
  if (outbox === undefined) throw new Error('the store has no outbox')
  await store.putWalletState(WALLET_STATE)
  const [executed, queued, adopted, refused] = ['1', '2', '3', '4'].map(fee => requestOf('content', fee))
  if (!executed || !queued || !adopted || !refused) throw new Error('no requests')
  await store.take([executed, queued, refused])
  const submissionIds = [executed.submissionId, queued.submissionId]
  await store.openSlot(signed(7, submissionIds))
  await store.addSignedTx(signed(7, submissionIds, 'again'))
  const requeued = { submissionId: queued.submissionId, status: 'queued' } as const
  await store.applyBlock(block(101, consumed(7, [committed(executed.submissionId, 1), requeued])))
  const execution = committed(adopted.submissionId, 1)
  const found = [{ ...adopted, execution, transactionHash: 'C', height: 101 }]
  await store.adopt(found)
  await store.reject(refused.submissionId, REFUSAL)
  await store.join(executed)
  await store.find(executed.submissionId)
  await store.kindOf(1)
  await store.findSettled(submissionIds)
  await store.countUnsettled()
  await store.comparable({ height: 101, time: 0 }, found)
  await store.oldestUnsettled()
  for (const filter of [...listingFilters, ...identifiedFilters]) await store.list(filter, 10)
  const events = await outbox.claim(9)
  await outbox.record(events.map(event => ({ ...event, outcome: 'delivered' })))
  const transfers = await outbox.claimTransfers(9)
  await outbox.postponeTransfers(transfers.map(({ submissionId }) => ({ submissionId, delayMs: 1 })))
  await outbox.finish(transfers.map(transfer => ({ transfer, record: {} })))
  await outbox.backlog()
  await store.forget(1, 9)
  const { isRefused: _, ...terms } = quote('fee')
  const key = { feeId: 'fee', network: 'testnet' }
  await store.putQuote({ ...terms, ...key, client: 'shopper' })
  await store.findQuote(key)
  await store.changeQuote(key, 1, { expiresAt: 2, isRefused: false })
  await store.forgetQuotes(9)
  await store.close()

  const database = new Database(join(folder, 'submissions.db'))
  t.teardown(() => database.close())
  const explained = [...texts].filter(text => /^(SELECT|UPDATE|INSERT|DELETE|WITH)/.test(text))
  t.ok(explained.length > 40, `${explained.length} statements`)
  for (const text of explained) {
    const parameters = Array.from(text.matchAll(/\?/g), () => null)
    const plan: unknown[] = prepare.call(database, `EXPLAIN QUERY PLAN ${text}`).all(parameters)
    const steps = plan.map(step => String(Reflect.get(Object(step), 'detail')))
    t.equal(steps.filter(step => READS_ALL.some(pattern => pattern.test(step))).join(), '', text)
  }
})
