import { createOperatorAccess } from '../../../services/submission/store/operator.ts'
import { openPostgresForOperator } from '../../../services/submission/store/postgres/index.ts'
import { startNetwork } from '../../helpers/app.ts'
import { operatorTool } from '../../helpers/operator.ts'
import { addressOf, runSql, startPostgres } from '../../helpers/postgres/index.ts'
import { openReplica, requestOf } from '../../helpers/postgres/replicas.ts'
import { WALLET_STATE } from '../../helpers/store-data.ts'
import { t as root, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

const postgres = await startPostgres(root)
const network = await startNetwork(root)
const { development } = network.addresses

const READING = ['list']
const OTHERS = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
const WRITING = ['bump-fee', '0', '--gas-price', '1', '--max-fee', '1']

test('a command reports that servers use the wallet, and runs once the last server has stopped', async t => {
  const url = await postgres.createDatabase()
  const tool = operatorTool(t, network, { DATABASE_URL: url })
  const server = await openReplica(t, url, { owner: development })
  await openReplica(t, url, { owner: 'service1other' })
  t.strictSame(await tool(...WRITING), {
    code: 1,
    out: '',
    err: 'DATABASE_URL: the database is in use by a server or another operator command: stop it first\n'
  })
  await server.close()
  await until(
    async () => (await tool(...WRITING)).err.startsWith('the store has no wallet yet'),
    'the server has stopped'
  )
})

test('a server does not start while a command is writing to the store', async t => {
  const url = await postgres.createDatabase()
  await (await openReplica(t, url)).close()
  const owned = await ownedBy(url)
  await t.rejects(openReplica(t, url), {
    name: 'DatabaseUnusableError',
    message:
      'DATABASE_URL: the database is in use by the operator tool: start the server once the tool has exited'
  })
  await t.rejects(ownedBy(url), {
    message: /is in use by a server or another operator command/
  })
  await owned.close()
  await openReplica(t, url)
})

test('a server that lost its connections does not lead during a command, and recovers afterwards', async t => {
  const url = await postgres.createDatabase()
  const server = await openReplica(t, url)
  const term = await server.lead()
  await term?.store.putWalletState(WALLET_STATE)
  await runSql(url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
  const owned = await until(
    () => ownedBy(url).catch(() => undefined),
    'the server’s claim and lock are released'
  )
  await until(async () => {
    const error = await server.find('id').catch((thrown: unknown) => thrown)
    return String(error).includes('in use by the operator tool')
  }, 'the server detects the running command')
  t.equal(await server.lead().catch(() => undefined), undefined, 'the server does not lead')
  await t.rejects(async () => term?.store.setControlPassed(), { name: 'TermEndedError' })
  await owned.store.setControlPassed()
  t.match(await owned.queries.walletState(), { nextSequence: 7, controlPassed: true })
  await owned.close()
  t.match(
    await until(
      () => server.take([requestOf('content', 'fee')]).catch(() => undefined),
      'the server has recovered'
    ),
    [{ status: 'created' }]
  )
})

test('reports a database without submissions or without this wallet, and does not change it', async t => {
  const url = await postgres.createDatabase()
  const tool = operatorTool(t, network, { DATABASE_URL: url })
  for (const command of [READING, WRITING]) {
    t.strictSame(await tool(...command), {
      code: 1,
      out: '',
      err: 'DATABASE_URL: the database contains no store: check the URL, or start a server to create one\n'
    })
  }
  t.strictSame(await runSql(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"), [])
  await (await openReplica(t, url)).close()
  for (const command of [READING, WRITING]) {
    t.match(await tool(...command), {
      code: 1,
      err: `DATABASE_URL: the database has no data for the wallet ${development}\n`
    })
  }
  t.strictSame(await runSql(url, 'SELECT address FROM wallet'), [{ address: 'service1wallet' }])
  await until(async () => (await runSql(url, OTHERS)).length === 0, 'no command is still connected')
})

test('rejects a database schema with a different version', async t => {
  const url = await postgres.createDatabase()
  const tool = operatorTool(t, network, { DATABASE_URL: url })
  await (await openReplica(t, url, { owner: development })).close()
  await runSql(url, 'UPDATE schema_version SET version = 99')
  for (const command of [READING, WRITING]) {
    t.match(await tool(...command), { code: 1, err: /^DATABASE_URL: the database has schema 99, but/ })
  }
})

test('reports an unreachable database in one line, without its password', async t => {
  const tool = operatorTool(t, network, { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:9/x' })
  for (const command of [READING, WRITING]) {
    t.strictSame(await tool(...command), {
      code: 1,
      out: '',
      err: 'the database cannot be reached (ECONNREFUSED)\n'
    })
  }
})

/** Opens the replicas' store like a command that writes. */
function ownedBy(url: string) {
  return createOperatorAccess(openPostgresForOperator(addressOf(url), async () => 'service1wallet')).own()
}
