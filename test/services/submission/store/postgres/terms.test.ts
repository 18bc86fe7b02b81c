import { sql } from '../../../../../services/submission/store/sql.ts'
import { runSql, startPostgres } from '../../../../helpers/postgres.ts'
import { t as root, test } from '../../../../helpers/tap.ts'
import { until } from '../../../../helpers/until.ts'
import { REFUSAL, WALLET_STATE } from '../../store-data.ts'
import { proxyFor } from './proxy.ts'
import { openReplica, requestOf } from './replicas.ts'

const postgres = await startPostgres(root)

const END_LEADER =
  "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'"

test('one replica leads until it steps down, closes or is disconnected, and then writes nothing', async t => {
  const url = await postgres.createDatabase()
  const proxy = await proxyFor(t, url)
  const [one, other] = [await openReplica(t, proxy.url), await openReplica(t, url)]
  const [taken] = await one.take([requestOf('content', 'fee')])
  const id = taken?.status === 'created' ? taken.submission.submissionId : ''
  const early = await other.lead()
  t.equal(await one.lead(), undefined)
  await early?.stepDown()
  const first = await one.lead()
  t.ok((first?.epoch ?? 0) > (early?.epoch ?? 0), 'the next term begins immediately')
  t.equal(await other.lead(), undefined)
  t.equal(await other.lead(), undefined)
  await first?.store.putWalletState(WALLET_STATE)

  proxy.silence(true)
  const late = first?.store.reject(id, REFUSAL)
  const expected = t.rejects(async () => late)
  const second = await until(() => other.lead(), 'the other replica leads')
  proxy.silence(false)
  await expected
  t.match(await other.find(id), { status: 'queued' })
  await t.rejects(async () => first?.store.setControlPassed(), { name: 'TermEndedError' })
  await second.store.setControlPassed()
  t.ok(await one.walletState(), 'the replaced replica can still read')
  await other.close()
  t.ok(await until(() => one.lead().catch(() => undefined), 'the remaining replica leads'))
})

test('begins a new term only after the previous term’s writes have ended', async t => {
  const url = await postgres.createDatabase()
  const [one, other] = await Promise.all([openReplica(t, url), openReplica(t, url)])
  const first = await one.lead()
  await first?.store.putWalletState(WALLET_STATE)
  let isReplaced = false
  const stuck = one.database.transaction(async ({ get }) => {
    await get(sql`SELECT FROM wallet FOR UPDATE`)
    await until(() => isReplaced, 'another replica leads')
  })
  const expected = t.rejects(stuck, 'the server has ended the transaction')
  await runSql(url, END_LEADER)
  await until(() => first?.ended.aborted, 'the leader detects that its term is over')
  const second = await until(() => other.lead().catch(() => undefined), 'the other replica leads')
  isReplaced = true
  await expected
  await second.store.setControlPassed()
})
