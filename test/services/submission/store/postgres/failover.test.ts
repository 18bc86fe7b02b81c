import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreUnavailableError } from '../../../../../services/submission/errors.ts'
import {
  createServerFolder,
  type DatabaseServer,
  PASSWORD,
  type Postgres,
  runSql,
  serverFor,
  startPostgres,
  USER
} from '../../../../helpers/postgres.ts'
import { run } from '../../../../helpers/repository.ts'
import { t as root, type Test, test } from '../../../../helpers/tap.ts'
import { until } from '../../../../helpers/until.ts'
import { WALLET_STATE } from '../../store-data.ts'
import { proxyFor } from './proxy.ts'
import { openReplica, requestOf } from './replicas.ts'

const postgres = await startPostgres(root)

/**
 * Starts a synchronous standby. From then on, every commit on the primary waits for the standby. Stops the primary
 * while it copies the data.
 */
async function startStandby(t: Test, primary: Postgres): Promise<DatabaseServer> {
  await primary.stop()
  const data = join(await createServerFolder(t), 'data')
  await run('cp', ['-a', primary.data, data])
  await writeFile(join(data, 'standby.signal'), '')
  await primary.start('-c', 'synchronous_standby_names=*')
  const standby = await serverFor(t, data)
  const login = `host=127.0.0.1 port=${primary.port} user=${USER} password=${PASSWORD}`
  await standby.start('-c', `primary_conninfo=${login}`)
  return standby
}

test('switches to a promoted standby without losing an accepted submission', async t => {
  const url = await postgres.createDatabase()
  const standby = await startStandby(t, postgres)
  const proxy = await proxyFor(t, url)
  const store = await openReplica(t, proxy.url)
  const requests = Array.from({ length: 20 }, (_, index) => requestOf('content', `fee-${index}`))
  await store.take(requests)
  const first = await store.lead()
  await first?.store.putWalletState(WALLET_STATE)

  await postgres.stop('SIGKILL')
  proxy.moveTo(standby.port)
  await until(() => first?.ended.aborted, 'the leader detects that its term is over')
  const retries = requests.map(request => ({ ...request, submissionId: `again-${request.submissionId}` }))
  // At first, calls still fail on connections to the killed server.
  await until(() => refusesAsReadOnly(store.take(retries)), 'the standby rejects new submissions')
  await until(() => refusesAsReadOnly(store.lead()), 'the standby rejects a new term')
  await t.rejects(store.find('id-1'), StoreUnavailableError, 'nothing is read: it may lack submissions')

  await runSql(url.replace(`:${postgres.port}/`, `:${standby.port}/`), 'SELECT pg_promote()')
  const taken = await until(() => store.take(retries).catch(() => undefined), 'the standby has taken over')
  const joined = requests.map(({ submissionId }) => ({ status: 'joined', submission: { submissionId } }))
  t.match(taken, joined)
  const second = await until(() => store.lead().catch(() => undefined), 'the replica leads again')
  t.ok(second.epoch > (first?.epoch ?? 0))
  await t.rejects(async () => first?.store.setControlPassed(), { name: 'TermEndedError' })
  await second.store.setControlPassed()
})

/**
 * Returns true if an attempt fails because the database is read-only, and false if the database is unreachable.
 * @throws if the attempt succeeds or fails with any other error
 */
async function refusesAsReadOnly(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt
  } catch (error) {
    if (error instanceof StoreUnavailableError) return error.message.includes('is read-only')
    throw error
  }
  throw new Error('a read-only database accepted a write')
}
