import { createOperatorAccess } from '../../../../../../services/submission/store/operator.ts'
import { openPostgresForOperator } from '../../../../../../services/submission/store/postgres/index.ts'
import { addressOf, runSql, startPostgres } from '../../../../../helpers/postgres.ts'
import { t as root, test } from '../../../../../helpers/tap.ts'
import { until } from '../../../../../helpers/until.ts'
import { WALLET_STATE } from '../../../store-data.ts'
import { openReplica, requestOf } from '../replicas.ts'

const postgres = await startPostgres(root)

test('a server does not start while a command is writing to the store', async t => {
  const url = await postgres.createDatabase()
  await (await openReplica(t, url)).close()
  const owned = await ownedBy(url)
  const reason = 'in use by the operator tool: start the server once the tool has exited'
  const message = `DATABASE_URL: the database is ${reason}`
  await t.rejects(openReplica(t, url), { name: 'DatabaseUnusableError', message })
  await t.rejects(ownedBy(url), { message: /is in use by a server or another operator command/ })
  await owned.close()
  await openReplica(t, url)
})

test('a disconnected server does not lead during a command, but recovers afterwards', async t => {
  const url = await postgres.createDatabase()
  const server = await openReplica(t, url)
  const term = await server.lead()
  await term?.store.putWalletState(WALLET_STATE)
  await runSql(url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
  const owned = await until(() => ownedBy(url).catch(() => undefined), 'the server’s claim is released')
  await until(async () => {
    const error = await server.find('id').catch((thrown: unknown) => thrown)
    return String(error).includes('in use by the operator tool')
  }, 'the server detects the running command')
  t.equal(await server.lead().catch(() => undefined), undefined, 'the server does not lead')
  await t.rejects(async () => term?.store.setControlPassed(), { name: 'TermEndedError' })
  await owned.store.setControlPassed()
  t.match(await owned.queries.walletState(), { nextSequence: 7, controlPassed: true })
  await owned.close()
  const take = () => server.take([requestOf('content', 'fee')]).catch(() => undefined)
  t.match(await until(take, 'the server has recovered'), [{ status: 'created' }])
})

/** Opens the replicas' store like a command that writes. */
function ownedBy(url: string) {
  return createOperatorAccess(openPostgresForOperator(addressOf(url), async () => 'service1wallet')).own()
}
