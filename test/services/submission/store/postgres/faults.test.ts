import type { IntakeResult } from '../../../../../services/submission/contract.ts'
import { LIMITS } from '../../../../../services/submission/store/postgres/connection.ts'
import { raw, sql } from '../../../../../services/submission/store/sql.ts'
import { runSql, startPostgres } from '../../../../helpers/postgres.ts'
import { t as root, test } from '../../../../helpers/tap.ts'
import { until } from '../../../../helpers/until.ts'
import { WALLET_STATE } from '../../store-data.ts'
import { proxyFor } from './proxy.ts'
import { openReplica, requestOf } from './replicas.ts'

const postgres = await startPostgres(root)

const NOT_SUPPORTED =
  'DATABASE_URL: the database cannot be used: expected PostgreSQL 15 or later with the encoding UTF8'

const again = (take: () => Promise<IntakeResult[]>) =>
  until(() => take().catch(() => undefined), 'the store is usable again')

test('a commit interrupted by a disconnection has an unknown outcome; a retry succeeds', async t => {
  const url = await postgres.createDatabase()
  const proxy = await proxyFor(t, url)
  const store = await openReplica(t, proxy.url)
  for (const [moment, isStored] of [
    ['before', false],
    ['after', true]
  ] as const) {
    const request = requestOf('content', moment)
    proxy.breakCommit(moment)
    await t.rejects(store.take([request]), { name: 'StoreUncertainError' }, moment)
    t.equal((await store.find(request.submissionId)) !== undefined, isStored)
    const { submissionId } = request
    t.match(await store.take([request]), [{ status: 'created', submission: { submissionId } }])
    t.match(await store.take([{ ...request, submissionId: 'another' }]), [{ status: 'joined' }])
  }
  const term = await store.lead()
  proxy.breakCommit('after')
  await t.rejects(async () => term?.store.putWalletState(WALLET_STATE), { name: 'StoreUncertainError' })
})

test('drops a connection that stays read-only, as after a failover', async t => {
  const [url, control] = [await postgres.createDatabase(), await postgres.createDatabase()]
  const name = new URL(url).pathname.slice(1)
  const store = await openReplica(t, url)
  await store.take([requestOf('content', 'fee')])
  await runSql(control, `ALTER DATABASE "${name}" SET default_transaction_read_only = on`)
  await runSql(control, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  const attempt = () => store.take([requestOf('content', 'new')]).catch(({ message }) => message)
  await until(async () => String(await attempt()).includes('is read-only'), 'a write is rejected')
  await runSql(control, `ALTER DATABASE "${name}" SET default_transaction_read_only = off`)
  t.match(await again(() => store.take([requestOf('content', 'new')])), [{}])
})

test('drops connections to a silent database server, and reconnects once it responds', async t => {
  const proxy = await proxyFor(t, await postgres.createDatabase())
  const store = await openReplica(t, proxy.url)
  await store.take([requestOf('content', 'fee')])
  proxy.silence(true)
  await t.rejects(store.find('id'), { name: 'StoreUnavailableError' })
  proxy.silence(false)
  t.match(await again(() => store.take([requestOf('content', 'fee')])), [{ status: 'joined' }])
})

test('waits for the database at startup, and reports why when the wait times out', async t => {
  const url = await postgres.createDatabase()
  await postgres.stop()
  const message = 'DATABASE_URL: the database cannot be reached (ECONNREFUSED)'
  await t.rejects(openReplica(t, url, { startMs: 0 }), { name: 'DatabaseUnusableError', message })
  const opening = openReplica(t, url)
  await postgres.start()
  t.equal(await (await opening).countUnsettled(), 0)
})

test('refuses to start with a server that is too old or a database not in UTF8', async t => {
  const url = await postgres.createDatabase()
  const [row] = await runSql(url, "SELECT current_setting('server_version_num') AS version")
  const { version } = Object(row)
  const proxy = await proxyFor(t, url)
  proxy.rewrite(version, `14${version.slice(2)}`)
  const [server, latin] = [postgres.urlOf('postgres'), postgres.urlOf('latin')]
  await runSql(server, "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'")
  for (const refused of [proxy.url, latin])
    await t.rejects(openReplica(t, refused), { name: 'DatabaseUnusableError', message: NOT_SUPPORTED })
  const drop = () => runSql(server, 'DROP DATABASE latin')
  await until(() => drop().catch(() => undefined), 'no connection is left')
})

test('reports an unknown outcome if the wait for a standby is cancelled', async t => {
  const url = await postgres.createDatabase()
  const store = await openReplica(t, url)
  const request = requestOf('content', 'fee')
  const reload = async (change: string) => {
    await runSql(url, `ALTER SYSTEM ${change}`)
    await runSql(url, 'SELECT pg_reload_conf()')
  }
  t.teardown(() => reload('RESET synchronous_standby_names'))
  await reload("SET synchronous_standby_names = 'absent'")
  const failing = async () => {
    const taken = await store.take([request]).catch(error => error)
    return taken instanceof Error && taken
  }
  const failure = until(failing, 'a commit fails')
  const cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
  await until(async () => (await runSql(url, cancel)).length > 0, 'the wait is cancelled')
  const message = 'a commit might not have reached the standby'
  t.match(await failure, { name: 'StoreUncertainError', message })
  await reload('RESET synchronous_standby_names')
  t.match(await store.take([request]), [{ status: 'created' }])
})

test('commits synchronously, with the same isolation whatever the database’s defaults', async t => {
  for (const [name, value, shown, expected] of [
    ['synchronous_commit', 'off', 'synchronous_commit', 'on'],
    ['synchronous_commit', 'local', 'synchronous_commit', 'on'],
    ['default_transaction_isolation', 'serializable', 'transaction_isolation', 'read committed'],
    ['default_transaction_isolation', 'repeatable read', 'transaction_isolation', 'read committed']
  ] as const) {
    const url = await postgres.createDatabase()
    await runSql(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${name} = '${value}'`)
    const show = `SHOW ${shown}`
    t.match(await runSql(url, show), [{ [shown]: value }])
    const { database } = await openReplica(t, url)
    const [seen] = await database.transaction(({ all }) => all(sql`${raw(show)}`))
    t.match(seen, { [shown]: expected }, value)
  }
})

test('stops using a database that was replaced by one restored from elsewhere', async t => {
  const url = await postgres.createDatabase()
  const store = await openReplica(t, url)
  await runSql(url, 'UPDATE wallet SET wallet_id = DEFAULT')
  await runSql(url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
  const attempt = () => store.take([requestOf('content', 'fee')]).catch(({ message }) => message)
  await until(async () => String(await attempt()).includes('was replaced: the number'), 'a write is rejected')
  t.equal(await store.lead().catch(() => undefined), undefined)
})

/** Creates a trigger function that fails with an SQLSTATE. */
const failingWith = (code: string) =>
  `CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql
   AS $$ BEGIN RAISE EXCEPTION 'details' USING ERRCODE = '${code}'; END $$`

const UNUSABLE = {
  name: 'DatabaseUnusableError',
  message: /^DATABASE_URL: the database (refuses access|is behind a pooler).* \(\w{5}\)$/
}

test('reports why the database fails, or an unknown outcome of a commit, and recovers', async t => {
  const url = await postgres.createDatabase()
  const store = await openReplica(t, url)
  await runSql(url, failingWith('55P03'))
  await runSql(url, 'CREATE TRIGGER failing BEFORE INSERT ON submission FOR EACH ROW EXECUTE FUNCTION fail()')
  const request = requestOf('content', 'fee')
  for (const code of ['55P03', '25P03', '57014', '53100', '53300', '42501', '28000', '08P01']) {
    await runSql(url, failingWith(code))
    const isUnusable = /^(42501|28000|08P01)$/.test(code)
    const unavailable = { name: 'StoreUnavailableError', message: `the database is unavailable (${code})` }
    await t.rejects(store.take([request]), isUnusable ? UNUSABLE : unavailable)
  }
  await runSql(url, 'DROP TRIGGER failing ON submission')

  await runSql(url, failingWith('58030'))
  const deferred = 'AFTER INSERT ON submission DEFERRABLE INITIALLY DEFERRED FOR EACH ROW'
  await runSql(url, `CREATE CONSTRAINT TRIGGER failing ${deferred} EXECUTE FUNCTION fail()`)
  await t.rejects(store.take([request]), { name: 'StoreUncertainError' })
  await runSql(url, 'DROP TRIGGER failing ON submission')
  t.match(await store.take([request]), [{ status: 'created' }])
})

test('detects a pooler that drops the connection’s time limits', async t => {
  const proxy = await proxyFor(t, await postgres.createDatabase())
  const limit = String(LIMITS.idle_in_transaction_session_timeout)
  proxy.rewrite(limit, limit.replaceAll(/./g, '0'))
  const message =
    'DATABASE_URL: the database is behind a pooler, which is not supported: use the address of the server itself'
  await t.rejects(openReplica(t, proxy.url), { name: 'DatabaseUnusableError', message })
})
