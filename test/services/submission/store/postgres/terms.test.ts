import { sql } from '../../../../../services/submission/store/sql.ts'
import { runSql, startPostgres } from '../../../../helpers/postgres/index.ts'
import { proxyFor } from '../../../../helpers/postgres/proxy.ts'
import { openReplica, requestOf, WALLET_STATE } from '../../../../helpers/postgres/replicas.ts'
import { t as root, test } from '../../../../helpers/tap.ts'
import { until } from '../../../../helpers/until.ts'

const postgres = await startPostgres(root)

const END_LEADER =
  "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'"

test('one replica leads at a time', async t => {
  const url = await postgres.createDatabase()
  const [one, other] = await Promise.all([openReplica(t, url), openReplica(t, url)])
  const first = await one.lead()
  t.ok(first)
  t.equal(await other.lead(), undefined)
  t.equal(await other.lead(), undefined)
  await first?.stepDown()
  const second = await other.lead()
  t.ok((second?.epoch ?? 0) > (first?.epoch ?? 0), 'at once')
  t.equal(await one.lead(), undefined)
  await other.close()
  t.ok(await until(() => one.lead(), 'the replica leads that did not close'))
})

test('a leader whose connection is ended knows it, and another one leads', async t => {
  const url = await postgres.createDatabase()
  const [one, other] = await Promise.all([openReplica(t, url), openReplica(t, url)])
  const first = await one.lead()
  await runSql(url, END_LEADER)
  await until(() => first?.ended.aborted, 'the leader knows that its term is over')
  const second = await until(() => other.lead(), 'the other replica leads')
  await t.rejects(async () => first?.store.putWalletState(WALLET_STATE), { name: 'TermEndedError' })
  await second.store.putWalletState(WALLET_STATE)
})

test('a leader that is cut off is replaced, and what it still writes has no effect', async t => {
  const url = await postgres.createDatabase()
  const proxy = await proxyFor(t, url)
  const [one, other] = [await openReplica(t, proxy.url), await openReplica(t, url)]
  const [taken] = await one.take([requestOf('content', 'fee')])
  const id = taken?.status === 'created' ? taken.submission.submissionId : ''
  const first = await one.lead()
  await first?.store.putWalletState(WALLET_STATE)

  proxy.silence(true)
  const late = first?.store.reject(id, { code: 1, codespace: 'x', message: 'refused' })
  const expected = t.rejects(async () => late)
  const second = await until(() => other.lead(), 'the other replica leads')
  proxy.silence(false)
  await expected
  t.match(await other.find(id), { status: 'queued' })
  await t.rejects(async () => first?.store.setCanaryPassed(), { name: 'TermEndedError' })
  await second.store.setCanaryPassed()
  t.ok(await one.walletState(), 'the other one can read')
})

test('no write of a term that is over has an effect, whatever its leader knows', async t => {
  const url = await postgres.createDatabase()
  const store = await openReplica(t, url)
  const taken = await store.take([requestOf('a', 'fee-a'), requestOf('b', 'fee-b')])
  const [a = '', b = ''] = taken.map(result =>
    result.status === 'created' ? result.submission.submissionId : ''
  )
  const leader = (await store.lead())?.store
  if (!leader) throw new TypeError('the replica does not lead')
  await leader.putWalletState(WALLET_STATE)
  const signedTx = (hash: string, sequence: number, submissionIds: string[]) => ({
    hash,
    sequence,
    bytes: new Uint8Array(),
    gasLimit: 1,
    feeAmount: 1n,
    submissionIds
  })
  await leader.openSlot(signedTx('HASH-7', 7, [a]))
  await runSql(url, 'UPDATE submission SET updated_at = updated_at + 1; UPDATE wallet SET epoch = epoch + 1')
  const tables = ['submission', 'slot', 'signed_tx', 'wallet_state', 'wallet', 'fee_day']
  const contents = () => Promise.all(tables.map(table => runSql(url, `SELECT * FROM ${table} ORDER BY 1, 2`)))
  const before = await contents()

  const refusal = { code: 1, codespace: 'x', message: 'refused' }
  const resolution = { sequence: 7, transactionHash: 'F', origin: 'foreign' } as const
  const outcomes = [{ submissionId: a, status: 'rejected', error: refusal } as const]
  const execution = { submissionId: 'adopted', status: 'rejected', error: refusal } as const
  const adoption = { ...requestOf('c', 'fee-c'), execution, transactionHash: 'F', height: 101 }
  const writes: Record<keyof Omit<typeof leader, 'queued' | 'openSignedTxs'>, () => Promise<unknown>> = {
    putWalletState: () => leader.putWalletState(WALLET_STATE),
    correctSequence: () => leader.correctSequence(8, 9),
    setCanaryPassed: leader.setCanaryPassed,
    openSlot: () => leader.openSlot(signedTx('HASH-8', 8, [b])),
    addSignedTx: () => leader.addSignedTx(signedTx('HASH-7B', 7, [a])),
    reject: () => leader.reject(b, refusal),
    applyBlock: () =>
      leader.applyBlock({ height: 101, hash: 'BB', time: 0, resolutions: [{ ...resolution, outcomes }] }),
    adopt: () => leader.adopt([adoption]),
    putReport: () => leader.putReport({ blockers: [], loops: [], withoutTxId: 0 })
  }
  for (const [name, write] of Object.entries(writes)) {
    await t.rejects(write, { name: 'TermEndedError' }, name)
    t.strictSame(await contents(), before, name)
  }
})

test('a write of the term before that is under way is over before the next term begins', async t => {
  const url = await postgres.createDatabase()
  const [one, other] = await Promise.all([openReplica(t, url), openReplica(t, url)])
  const first = await one.lead()
  await first?.store.putWalletState(WALLET_STATE)
  let isReplaced = false
  const stuck = one.database.transaction(async ({ get }) => {
    await get(sql`SELECT FROM wallet FOR UPDATE`)
    await until(() => isReplaced, 'another replica leads')
  })
  const expected = t.rejects(stuck, 'the server has ended it')
  await runSql(url, END_LEADER)
  const second = await until(() => other.lead().catch(() => undefined), 'the other replica leads')
  isReplaced = true
  await expected
  await second.store.setCanaryPassed()
})
