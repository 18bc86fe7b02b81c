import { build, untilReady } from '../../helpers/app.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { startPostgres } from '../../helpers/postgres/index.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

test('a stopping replica still serves for a while, but is no longer ready', async t => {
  const { createDatabase } = await startPostgres(t)
  const server = await build(t, { DATABASE_URL: await createDatabase() })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  await untilReady(server)
  const closed = server.close()
  await until(async () => (await fetch(`${url}/ready`)).status === 503, 'the server is no longer ready')
  t.equal((await patientFetch(`${url}/chains`)).status, 200)
  await closed
})
