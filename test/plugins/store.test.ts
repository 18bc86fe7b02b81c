import { openForReading } from '../../services/submission/store/sqlite/database.ts'
import { build, startNetwork, temporaryFolder } from '../helpers/app.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { t as root, test } from '../helpers/tap.ts'
import { submit, transferBody } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'
import { documentOf, operationsOf } from '../openapi/document.ts'
import { exampleRequest } from '../openapi/example.ts'

const postgres = await startPostgres(root)

test('servers that share a database act as one service', async t => {
  const devnet = await startNetwork(t)
  const env = { DATABASE_URL: await postgres.createDatabase(), SERVICE_QUOTE_CHECK: 'required' }
  const [first, second] = [await build(t, env, { devnet }), await build(t, env, { devnet })]
  const body = await transferBody(first)
  const [one, other] = await Promise.all([submit(first, body), submit(second, body)])
  t.equal(one.statusCode, 200, one.body)
  t.strictSame(other.json(), one.json())
})

test('a server is closed while its database is down, and recovers afterwards', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, { DATABASE_URL: await postgres.createDatabase() }, { devnet })
  const body = await transferBody(server)
  const { submissionId } = (await submit(server, body)).json()
  const next = await transferBody(server)
  const find = () => server.inject(`/submissions/${submissionId}`)
  await postgres.stop()
  t.match((await submit(server, next)).json(), { statusCode: 503, code: 'INTAKE_CLOSED' })
  const stored = ['getSubmission', 'getTransactionStatus', 'getFees', 'createLockIntent', 'recordLock']
  for (const operation of operationsOf(documentOf(server))) {
    if (!stored.includes(operation.operationId)) continue
    const response = await server.inject(exampleRequest(operation))
    t.match(response.json(), { statusCode: 503, code: 'STORE_UNAVAILABLE' }, operation.operationId)
    t.equal(response.headers['retry-after'], '5')
  }
  t.match((await server.inject('/ready')).json(), { checks: { store: { ok: false, detail: 'unavailable' } } })
  await postgres.start()
  await until(async () => (await find()).statusCode === 200, 'the submission can be read')
  await until(async () => (await submit(server, next)).statusCode === 200, 'the next submission is executed')
})

test('a server that stops says that another program keeps its database file incomplete', async t => {
  const lines: string[] = []
  const SERVICE_DATA_DIR = temporaryFolder(t)
  const env = { SERVICE_DATA_DIR, LOG_LEVEL: 'warn' }
  const server = await build(t, env, { logTo: line => lines.push(line) })
  const { connection, close } = openForReading(SERVICE_DATA_DIR)
  t.teardown(close)
  connection.exec('BEGIN; SELECT count(*) FROM submission')
  await server.close()
  t.match(lines.at(-1), /submissions\.db is not complete without submissions\.db-wal/)
})

test('startup fails with the reason if the database is unusable', async t => {
  const devnet = await startNetwork(t)
  const refuses = (url: string, code: string) =>
    t.rejects(build(t, { DATABASE_URL: url }, { devnet }), {
      message: `DATABASE_URL: the database refuses access: check the user, the password, the database, its privileges and sslmode (${code})`
    })
  await refuses(postgres.urlOf('missing'), '3D000')
  await refuses(postgres.urlOf('postgres').replace(/:[^:@]+@/, ':wrong@'), '28P01')
})
