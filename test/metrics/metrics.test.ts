import { build, startNetwork } from '../helpers/app.ts'
import { json, serve } from '../helpers/local-server.ts'
import { sample, untilSample } from '../helpers/metrics.ts'
import { read } from '../helpers/repository.ts'
import { t as root, test } from '../helpers/tap.ts'
import { submit, transferBody } from '../helpers/transfer.ts'

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
  const calls = { node: new URL(devnet.urls.rpc).host, request: 'status', result: 'answered' }
  await untilSample(server, 'service_node_request_duration_seconds_count', calls, value => value > 0)
})

const SETTLED = 'service_submission_duration_seconds_count'

test('metrics count a submission at each stage from intake to block, and what it costs', async t => {
  const started = Date.now()
  const server = await build(t, { SERVICE_DAILY_FEE_LIMIT: '10000000' })
  const body = await transferBody(server)
  t.equal((await submit(server, body)).statusCode, 200)
  t.equal((await submit(server, body)).statusCode, 200, 'a retry')
  const text = await untilSample(server, SETTLED, { status: 'committed' }, value => value === 1)
  t.equal(sample(text, 'service_submissions_taken_total', { outcome: 'created' }), 1)
  t.equal(sample(text, 'service_submissions_taken_total', { outcome: 'joined' }), 1)
  const seconds = sample(text, 'service_submission_duration_seconds_sum', { status: 'committed' })
  t.ok(seconds !== undefined && seconds <= (Date.now() - started) / 1000)
  t.equal(sample(text, 'service_foreign_transactions_total'), 0)
  const denom = 'uSERVICE'
  await untilSample(server, 'service_fees_paid_today', { denom }, value => value > 0)
  t.ok(sample(text, 'service_wallet_balance', { denom }))
  t.equal(sample(text, 'service_daily_fee_limit', { denom }), 10_000_000)
  await untilSample(server, 'service_submissions_verified', { outcome: 'proven' }, value => value === 1)
  const sent = { request: 'broadcast', result: 'accepted' }
  t.ok(sample(text, 'service_node_request_duration_seconds_count', sent))
})

test('metrics report pending submissions while the chain is halted', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, { SERVICE_SUBMIT_TIMEOUT: '1' }, { devnet })
  const bodies = [await transferBody(server), await transferBody(server)]
  devnet.control.pause()
  for (const body of bodies) t.equal((await submit(server, body)).statusCode, 202)
  const waiting = await untilSample(server, 'service_submissions_unsettled', {}, value => value === 2)
  t.equal(sample(waiting, 'service_leading'), 1)
  await untilSample(server, 'service_submissions_oldest_age_seconds', {}, value => value > 0)

  devnet.control.resume()
  const settled = await untilSample(server, 'service_submissions_unsettled', {}, value => value === 0)
  t.equal(sample(settled, 'service_submissions_oldest_age_seconds'), 0)
})

test('alerts and dashboard use existing metrics, and docs/alerts.md lists all metrics', async t => {
  const { body } = await server.inject('/metrics')
  const types = new Map(
    [...body.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name = '', type]) => [name, type])
  )
  const exists = (name: string) =>
    types.has(name) || types.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram'
  for (const path of ['deploy/ops/prometheus/alerts.yml', 'deploy/ops/grafana/dashboard.json']) {
    const names = new Set(read(path).match(/\b(?:service|nodejs|process)_[a-z0-9_]+\b/g))
    for (const name of names) t.ok(exists(name), `${path}: ${name}`)
    t.ok(names.size > 15, path)
  }
  const page = read('docs/alerts.md')
  const own = [...types.keys()].filter(name => name.startsWith('service_'))
  const listed = [...page.matchAll(/^\| `(service_\w+)` \|/gm)].map(([, name]) => name)
  t.strictSame(listed.toSorted(), own.toSorted())
  for (const name of page.match(/\bservice_[a-z_]+/g) ?? []) t.ok(own.includes(name), name)
})
