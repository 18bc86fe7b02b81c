import { startNetwork, testEnv } from '../../helpers/app.ts'
import { samples } from '../../helpers/metrics.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'

test('METRICS_PORT serves only /metrics, and PORT serves everything else', async t => {
  const devnet = await startNetwork(t)
  const server = await startServer(t, testEnv(t, devnet, { METRICS_PORT: '0' }))
  const [, port] = await server.saw(/"port":(\d+)\},"msg":"metrics server listening"/)
  const own = `http://127.0.0.1:${port}`
  const response = await fetch(`${own}/metrics`)
  t.equal(response.status, 200)
  t.match(response.headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
  t.ok(samples(await response.text()).size > 20)
  t.equal((await fetch(`${own}/health`)).status, 404)
  const malformed = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }
  t.equal((await fetch(`${own}/metrics`, malformed)).status, 404)
  t.equal((await patientFetch(`${server.url}/metrics`)).status, 404)
  t.equal((await fetch(`${server.url}/health`)).status, 200)
  t.equal(await server.stop(), 0, 'an open connection to METRICS_PORT does not delay the stop')
})
