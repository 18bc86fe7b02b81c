import type { Notification } from '../../../../../services/submission/contract.ts'
import { migrations } from '../../../../../services/submission/store/postgres/schema.ts'
import { runSql, startPostgres } from '../../../../helpers/postgres/index.ts'
import { openReplica, requestOf } from '../../../../helpers/postgres/replicas.ts'
import { block, committed, consumed, signed, WALLET_STATE } from '../../../../helpers/store-data.ts'
import { t as root, test } from '../../../../helpers/tap.ts'
import { until } from '../../../../helpers/until.ts'

const postgres = await startPostgres(root)
const next = [...migrations, 'CREATE TABLE added (column_of_it INTEGER)']

test('creates the schema once if several replicas start at the same time', async t => {
  const url = await postgres.createDatabase()
  const replicas = await Promise.all([1, 2, 3, 4, 5].map(() => openReplica(t, url)))
  t.equal(new Set(replicas.map(({ wallet }) => wallet)).size, 1)
  t.strictSame(await runSql(url, 'SELECT version FROM schema_version'), [{ version: migrations.length }])
  const taken = await Promise.all(replicas.map(store => store.take([requestOf('content', 'fee')])))
  t.equal(taken.flat().filter(({ status }) => status === 'created').length, 1)
})

test('refuses to start with a newer schema or one that it cannot upgrade, and leaves out an upgrade that fails', async t => {
  const url = await postgres.createDatabase()
  await t.rejects(openReplica(t, url, { migrations: [...next, 'not SQL'] }), { code: '42601' })
  await (await openReplica(t, url, { migrations: next })).close()
  const other = { name: 'DatabaseUnusableError' }
  await t.rejects(openReplica(t, url), {
    ...other,
    message: new RegExp(
      `newer version \\(schema ${next.length}\\): start that version; this version supports schema ${migrations.length}`
    )
  })
  await runSql(url, 'UPDATE schema_version SET version = 1')
  await t.rejects(openReplica(t, url), {
    ...other,
    message: /has schema 1, which this version cannot upgrade: let the version that wrote it settle/
  })
})

test('upgrades an older schema only once no replica of the older version is running', async t => {
  const url = await postgres.createDatabase()
  const older = await openReplica(t, url)
  await older.take([requestOf('content', 'fee')])
  await t.rejects(openReplica(t, url, { migrations: next, startMs: 0 }), {
    name: 'DatabaseUnusableError',
    message: /replicas of that version still use it: stop all of them, then start this version/
  })
  const waiting = openReplica(t, url, { migrations: next })
  await older.close()
  t.equal(await (await waiting).countUnsettled(), 1)
})

/** Closes the notification connection of every replica. */
const END_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND query IN ('SHOW fsync', 'SELECT')`

test('does not upgrade a schema in use, even if the replica has lost its notification connection', async t => {
  const url = await postgres.createDatabase()
  const older = await openReplica(t, url)
  await older.take([requestOf('content', 'fee')])
  t.equal((await runSql(url, END_SESSIONS)).length, 1)
  const upgrade = openReplica(t, url, { migrations: next, startMs: 0 })
  await older.take([requestOf('content', 'another fee')])
  await t.rejects(upgrade, { message: /replicas of that version still use it/ })
})

test('omits the ids from a notification about many submissions', async t => {
  const url = await postgres.createDatabase()
  const [one, other] = await Promise.all([openReplica(t, url), openReplica(t, url)])
  const heard: Notification[] = []
  other.onNotification(notification => void heard.push(notification))
  const term = await one.lead()
  const names = Array.from({ length: 300 }, (_, index) => `a-name-that-is-as-long-as-a-uuid-${index}`)
  await one.take(names.map(name => ({ ...requestOf('content', name), submissionId: name })))
  await until(() => heard.length === 1, 'the other replica is notified of the queued submissions')
  await term?.store.putWalletState(WALLET_STATE)
  await term?.store.openSlot(signed(7, names))
  const outcomes = names.map(name => committed(name))
  await term?.store.applyBlock(block(101, consumed(7, outcomes)))
  await until(() => heard.length === 2, 'the other replica is notified of the settled submissions')
  t.strictSame(heard, [{ kind: 'queued' }, { kind: 'settled' }])
  t.equal((await other.findSettled(names)).length, 300)
})
