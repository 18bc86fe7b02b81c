import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Devnet } from '../../../packages/devnet/index.ts'
import { startNetwork, testEnv, type Variables } from '../../helpers/app.ts'
import { forward, json, type SeenRequest, serve } from '../../helpers/local-server.ts'
import { patientFetch, patientPost } from '../../helpers/patient-fetch.ts'
import { root } from '../../helpers/repository.ts'
import { type ServerProcess, startServer } from '../../helpers/server-process.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { submitBody, TRANSFER } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { receiveWebhooks, WEBHOOK_SECRET } from '../../helpers/webhook-receiver.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`

const valuesOf = (attributes: { key: string; value: object }[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Returns what a collector has received, in OpenTelemetry's JSON: the spans, and the program that sent them. */
function received(seen: SeenRequest[]) {
  const traces = seen.filter(({ method, url }) => method === 'POST' && url === '/v1/traces')
  const resources = traces.flatMap(({ body }) => JSON.parse(body).resourceSpans)
  const sent = resources.flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans)
  const spans = sent.map(span => ({ ...span, attributes: valuesOf(span.attributes) }))
  return { spans, resource: valuesOf(resources[0]?.resource.attributes ?? []) }
}

async function start(t: Test, variables: Variables, devnet?: Devnet) {
  const env = testEnv(t, devnet ?? (await startNetwork(t)), { OTEL_BSP_SCHEDULE_DELAY: '50', ...variables })
  const server = await startServer(t, env)
  await server.saw(/"msg":"engine ready"/)
  const submit = (feeId: string, headers = {}) =>
    patientPost(`${server.url}/submit`, submitBody(feeId), headers)
  return { server, env, submit }
}

/** Waits for a log line that contains a string and returns the first one. */
async function line(server: ServerProcess, text: string) {
  const [found] = await server.saw(new RegExp(`.*"${text}".*\n`))
  return JSON.parse(found)
}

/** Sends the body after the server has read the headers. Reading it then leaves the request's asynchronous context. */
async function postSlowly(url: string, body: string) {
  const headers = { 'content-type': 'application/json', expect: '100-continue' }
  const sent = request(url, { method: 'POST', headers })
  const responded: Promise<IncomingMessage[]> = once(sent, 'response')
  sent.flushHeaders()
  // A server that is too busy responds without reading the body.
  await Promise.race([once(sent, 'continue'), responded])
  sent.end(body)
  const [response] = await responded
  return response && JSON.parse(await text(response))
}

const KEY = 'key-of-the-collector'
const UPSTREAM_KEY = 'key-of-the-upstream'

test('records a request, its upstream calls, submission and transaction, not secrets', async t => {
  const collector = await serve(t, (_request, response) => response.end())
  const spans = () => received(collector.seen).spans
  const devnet = await startNetwork(t)
  const before = (target: string) =>
    serve(t, async (request, response) => {
      if (request.method !== 'POST') return json(response, {}, 404)
      const url = target + request.url.replace(`/${UPSTREAM_KEY}`, '')
      // The devnet may close before the server has stopped.
      const forwarded = await forward(url, request).catch(() => undefined)
      if (forwarded) json(response, forwarded.body, forwarded.status)
      else response.destroy()
    })
  const [feeService, rpc] = [await before(devnet.urls.fees), await before(devnet.urls.rpc)]
  const receiver = await receiveWebhooks(t)
  const settings = {
    ...receiver.env,
    SERVICE_BACKEND_FEE_URL: `${feeService.url}/${UPSTREAM_KEY}`,
    SERVICE_BACKEND_NODE_PROVIDER: rpc.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${KEY}`,
    OTEL_SERVICE_NAME: 'shop'
  }
  const { server, env } = await start(t, settings, devnet)
  const statusOf = ({ attributes }: { attributes: Record<string, unknown> }) =>
    Number(attributes['http.response.status_code'] ?? 0)
  // Ignore the spans of requests that the server rejected because it was too busy.
  const named = (name: string) => spans().filter(span => span.name === name && statusOf(span) < 500)
  const untilNamed = (name: string) =>
    until(() => named(name).length > 0 && named(name), `the span ${name} has arrived`)

  const query = `${server.url}/submit/fees?${new URLSearchParams(TRANSFER)}`
  const fees = await patientFetch(query, { headers: { traceparent: TRACEPARENT } })
  t.equal(fees.status, 200)
  const [quote] = await untilNamed('GET /submit/fees')
  t.match(quote, { traceId: TRACE, parentSpanId: SPAN })
  t.strictSame(quote?.attributes, {
    'http.request.method': 'GET',
    'request.id': fees.headers.get('x-request-id'),
    'http.route': '/submit/fees',
    'http.response.status_code': 200
  })
  // The server also asks on its own whether the fee service responds.
  const sentParent = feeService.seen.find(({ headers }) => headers['traceparent'])?.headers['traceparent']
  const callSpan = () => spans().find(({ spanId }) => sentParent === `00-${TRACE}-${spanId}-01`)
  const call = await until(callSpan, 'the call to the fee service has arrived, and carried its traceparent')
  const attributes = { 'http.response.status_code': 200, 'server.address': '127.0.0.1' }
  t.match(call, { name: 'POST', parentSpanId: quote?.spanId, attributes })
  t.match(await line(server, '/submit/fees'), { trace_id: TRACE, span_id: quote?.spanId })
  const isTraced = rpc.seen.some(({ headers }) => headers['traceparent'])
  t.strictSame([rpc.seen.length > 0, isTraced], [true, false], 'calls to RPC nodes serve many requests')

  const feeId = randomUUID()
  const posted = await postSlowly(`${server.url}/submit`, submitBody(feeId))
  const { submissionId, transactionHash, height } = posted
  const [post] = await untilNamed('POST /submit')
  const [submission] = await untilNamed('submission')
  const [transaction] = await untilNamed('transaction')
  t.not(post?.traceId, TRACE, 'a request without a trace starts a new one')
  t.match(submission, { traceId: post?.traceId, parentSpanId: post?.spanId })
  t.match(transaction, { traceId: post?.traceId, parentSpanId: submission?.spanId })
  const ids = { 'tx.hash': transactionHash, 'block.height': height }
  t.strictSame(submission?.attributes, {
    'submission.id': submissionId,
    'fee.id': feeId,
    'submission.status': 'committed',
    ...ids
  })
  t.strictSame(transaction?.attributes, { 'slot.sequence': 0, 'tx.messages': 1, ...ids })
  for (const msg of ['submission accepted', 'submission committed'])
    t.equal((await line(server, msg)).trace_id, post?.traceId, msg)

  t.match(received(collector.seen).resource, { 'service.name': 'shop', 'service.version': String })
  t.equal(collector.seen[0]?.headers.authorization, KEY)
  t.equal((await patientFetch(`${server.url}/nothing`)).status, 404)
  // The server exports its remaining spans before it exits.
  await patientFetch(`${server.url}/submissions/${submissionId}`)
  t.equal(await server.stop(), 0)
  t.equal(named('GET /submissions/:submissionId').length, 1)

  const sent = collector.seen.map(({ body }) => body).join()
  t.ok(named('GET').length > 0, 'a request without a route has a span')
  t.notOk(sent.includes(root), 'spans contain no path of the machine')
  const { originAddress, targetAddress } = TRANSFER
  const secrets = [`${env['SERVICE_BACKEND_MNEMONIC']}`, KEY, UPSTREAM_KEY, WEBHOOK_SECRET]
  for (const text of [...secrets, originAddress, targetAddress, '0xsigned'])
    t.notOk(sent.includes(text), 'spans contain no secrets, queries or body fields')
  t.notMatch(server.output, KEY)
})

test('a collector that never responds delays neither submissions nor the shutdown', async t => {
  const collector = await serve(t, () => {})
  // These timeouts are longer than the shutdown timeout.
  const { server, submit } = await start(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
    OTEL_BSP_EXPORT_TIMEOUT: '600000'
  })
  t.equal((await submit('fee-1')).status, 200)
  await until(() => collector.seen.length > 0, 'the server has exported spans')
  t.equal((await submit('fee-2')).status, 200)
  t.equal(await server.stop(), 0)
})
