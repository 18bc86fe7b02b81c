import { build, startNetwork, untilReady } from '../helpers/app.ts'
import { untilSample } from '../helpers/metrics.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'

test('/ready passes while all dependencies respond', async t => {
  const server = await build(t)
  await untilReady(server)
  const ok = { ok: true }
  const checks = { store: ok, rpc: ok, chainApi: ok, signer: ok, engine: ok }
  t.match((await server.inject('/ready')).json(), { ready: true, checks })
  for (const name of ['service_ready', 'service_node_usable'])
    await untilSample(server, name, {}, value => value === 1)
})

test('/ready reports a dependency that does not respond, and /health still returns ok', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, { SERVICE_BACKEND_NODE_PROVIDER_QUERY: 'http://127.0.0.1:1' }, { devnet })
  const response = await server.inject('/ready')
  t.equal(response.statusCode, 503)
  const chainApi = { ok: false, detail: 'unavailable', action: String }
  t.match(response.json(), { ready: false, checks: { chainApi, rpc: { ok: true }, store: { ok: true } } })
  t.equal((await server.inject('/health')).body, 'ok')

  await devnet.close()
  const rpc = await until(async () => {
    const { checks } = (await server.inject('/ready')).json()
    return !checks.rpc.ok && checks.rpc
  }, 'the node counts as unhealthy')
  t.match(rpc, { detail: '0 of 1 nodes healthy', action: String })
  await untilSample(server, 'service_check_passed', { check: 'rpc' }, value => value === 0)
  await untilSample(server, 'service_node_usable', { use: 'sending' }, value => value === 0)
})

test('/ready and the log report a wrong denomination before the first submission', async t => {
  const lines: string[] = []
  const settings = { SERVICE_GAS_PRICE: '0.025uOTHER', LOG_LEVEL: 'error' }
  const server = await build(t, settings, { logTo: line => lines.push(line) })
  await until(async () => {
    const { checks } = (await server.inject('/ready')).json()
    return checks.signer.detail === 'insufficient-funds'
  }, 'the server is not ready')
  const msg = /^the wallet has no balance in the fee denomination: /
  t.match(JSON.parse(lines[0] ?? '{}'), { denom: 'uOTHER', msg })
})
