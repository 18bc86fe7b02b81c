import { build, MAINNET, startNetwork } from '../helpers/app.ts'
import { json, serve } from '../helpers/local-server.ts'
import { sample, untilSample } from '../helpers/metrics.ts'
import { t as root, test } from '../helpers/tap.ts'

const REQUESTS = 'service_http_request_duration_seconds_count'
const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const ID = '01a2011e-d21b-70e9-b427-7891cc5d4c44'

const devnet = await startNetwork(root)
const server = await build(root, {}, { devnet })

test('requests are counted by route pattern and status', async t => {
  await server.inject(`/submissions/${ID}`)
  await server.inject(`/submissions/${ID}/`)
  await server.inject({ method: 'POST', url: '/submit', payload: {} })
  await server.inject(`/nowhere/${ID}`)
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  await server.inject({ method: 'OPTIONS', url: '/submit/swap', headers })
  const text = await untilSample(server, REQUESTS, { route: 'none', status: '404' }, value => value === 1)
  t.equal(sample(text, REQUESTS, { method: 'GET', route: '/submissions/:submissionId', status: '404' }), 2)
  t.equal(sample(text, REQUESTS, { method: 'POST', route: '/submit', status: '400' }), 1)
  t.equal(sample(text, REQUESTS, { method: 'OPTIONS', route: '*', status: '204' }), 1)
  t.notMatch(text, ID)
})

test('counts upstream statuses as failed, except those about the request itself', async t => {
  let status = 200
  const provider = await serve(t, (_request, response) => json(response, {}, status))
  const server = await build(t, { COMPLIANCE_URL: provider.url }, { devnet })
  const answered = { failed: [301, 302, 401, 403, 407, 429, 500, 502, 503], refused: [400, 404, 409, 422] }
  for (status of [...answered.failed, ...answered.refused])
    t.equal((await server.inject(`/compliant?address=${ADDRESS}`)).statusCode, 502, String(status))
  const name = 'service_upstream_request_duration_seconds_count'
  for (const [result, { length }] of Object.entries(answered)) {
    const labels = { upstream: 'compliance provider', result }
    t.ok(await untilSample(server, name, labels, value => value === length), result)
  }
  const node = new URL(devnet.urls.rpc).host
  const calls = { node, request: 'status', result: 'answered' }
  await untilSample(server, 'service_node_request_duration_seconds_count', calls, value => value > 0)
})

test('on mainnet, the public port does not serve metrics', async t => {
  const server = await build(t, MAINNET)
  t.equal((await server.inject('/metrics')).statusCode, 404)
})
