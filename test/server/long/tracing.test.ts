import { randomUUID } from 'node:crypto'
import { startNetwork, testEnv, type Variables } from '../../helpers/app.ts'
import { serve } from '../../helpers/local-server.ts'
import { patientFetch, patientPost } from '../../helpers/patient-fetch.ts'
import { type ServerProcess, spawnServer, startServer } from '../../helpers/server-process.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { TRANSFER } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'
import { receiveWebhooks, WEBHOOK_SECRET } from '../../helpers/webhook-receiver.ts'
import { startCollector } from './collector.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

async function start(t: Test, variables: Variables) {
  const env = testEnv(t, await startNetwork(t), { OTEL_BSP_SCHEDULE_DELAY: '50', ...variables })
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

const KEY = 'key-of-the-collector'

test('the spans of a submission belong to the trace of its request', async t => {
  const collector = await startCollector(t)
  const receiver = await receiveWebhooks(t)
  const { server, env, submit } = await start(t, {
    ...receiver.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${KEY}`,
    OTEL_SERVICE_NAME: 'shop'
  })
  const feeId = randomUUID()
  const response = await submit(feeId, { traceparent: `00-${TRACE}-${SPAN}-01` })
  const { submissionId, transactionHash, height } = JSON.parse(await response.text())
  // Ignore the spans of requests that the server rejected because it was too busy.
  const named = (name: string) =>
    collector
      .spans()
      .filter(span => span.name === name && Number(span.attributes['http.response.status_code'] ?? 0) < 500)
  const [request, intake, slot, broadcast, block] = await until(() => {
    const names = ['POST /submit', 'intake', 'slot', 'broadcast', 'block']
    const spans = names.flatMap(name => named(name))
    return spans.length === names.length && spans
  }, 'every span has arrived')

  for (const span of [request, intake, slot, broadcast, block])
    t.equal(span?.traceId, TRACE, span?.name ?? '')
  t.equal(request?.parentSpanId, SPAN)
  t.equal(intake?.parentSpanId, request?.spanId)
  t.equal(slot?.parentSpanId, intake?.spanId)
  t.equal(broadcast?.parentSpanId, slot?.spanId)
  t.equal(block?.parentSpanId, slot?.spanId)
  t.strictSame(request?.attributes, {
    'http.request.method': 'POST',
    'request.id': response.headers.get('x-request-id'),
    'http.route': '/submit',
    'http.response.status_code': 200
  })
  t.strictSame(intake?.attributes, { 'submission.id': submissionId, 'fee.id': feeId })
  const ids = { 'submission.id': submissionId, 'tx.hash': transactionHash }
  t.strictSame(slot?.attributes, { ...ids, 'slot.sequence': 0 })
  t.strictSame(broadcast?.attributes, ids)
  t.strictSame(block?.attributes, { ...ids, 'block.height': height, 'submission.outcome': 'committed' })
  for (const msg of ['submission accepted', 'submission committed'])
    t.equal((await line(server, msg)).trace_id, TRACE, msg)

  const quoted = await patientFetch(`${server.url}/submit/fees?${new URLSearchParams(TRANSFER)}`)
  const { feeId: quotedId } = JSON.parse(await quoted.text())
  const [quote] = await until(() => named('quote').length > 0 && named('quote'), 'the quote span has arrived')
  t.strictSame(quote?.attributes, { 'fee.id': quotedId })
  t.not(quote?.traceId, TRACE, 'a request without a trace starts a new one')
  t.equal((await line(server, '/submit/fees')).trace_id, quote?.traceId)
  const [webhook] = await until(
    () => named('webhook').length > 0 && named('webhook'),
    'the webhook span has arrived'
  )
  t.equal(webhook?.attributes['submission.id'], submissionId)
  t.equal(webhook?.attributes['event.outcome'], 'delivered')

  t.match(collector.resource(), { 'service.name': 'shop', 'service.version': String })
  t.equal(collector.seen[0]?.headers.authorization, KEY)
  // The server exports its remaining spans before it exits.
  await patientFetch(`${server.url}/submissions/${submissionId}`)
  t.equal(await server.stop(), 0)
  t.equal(named('GET /submissions/:submissionId').length, 1)

  const sent = collector.seen.map(({ body }) => body).join()
  const { originAddress, targetAddress } = TRANSFER
  for (const text of [
    env['SERVICE_BACKEND_MNEMONIC'],
    KEY,
    WEBHOOK_SECRET,
    originAddress,
    targetAddress,
    '0xsigned'
  ])
    t.notOk(text === undefined || sent.includes(text), 'spans contain no secrets and no body fields')
  t.notMatch(server.output, KEY)
})

test('an unreachable collector is logged once and does not affect submissions', async t => {
  const { url, close } = await serve(t, () => {})
  close()
  const { server, submit } = await start(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '100'
  })
  t.equal((await submit('fee-1')).status, 200)
  await server.saw(/spans could not be exported/)
  t.equal((await submit('fee-2')).status, 200)
  t.equal(await server.stop(), 0)
  const lines = server.output.split('\n').filter(line => line.includes('"module":"tracing"'))
  t.equal(lines.length, 1)
  const logged = JSON.parse(lines[0] ?? '')
  t.notOk('trace_id' in logged)
  t.match(logged, { level: 40, failures: 1, problem: /^ECONNREFUSED |timed out/ })
})

test('a collector that never responds delays neither submissions nor the shutdown', async t => {
  const collector = await startCollector(t, () => {})
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

test('spans are exported only if OpenTelemetry is configured and enabled', async t => {
  const collector = await startCollector(t)
  for (const variables of [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url, OTEL_TRACES_EXPORTER: 'none' }
  ]) {
    const { server, submit } = await start(t, variables)
    t.equal((await submit('fee-1')).status, 200)
    t.equal(await server.stop(), 0)
    t.notMatch(server.output, /trace_id/)
  }
  t.equal(collector.connections(), 0)
})

test('startup fails if the collector URL is invalid', async t => {
  const env = testEnv(t, await startNetwork(t), { OTEL_EXPORTER_OTLP_ENDPOINT: 'a-secret:4317' })
  const server: ServerProcess = await spawnServer(t, env)
  t.equal(await server.exited, 1)
  t.equal(server.output, 'OTEL_EXPORTER_OTLP_ENDPOINT is malformed; expected an http or https URL\n')
})
