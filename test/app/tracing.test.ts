import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { build, startNetwork } from '../helpers/app.ts'
import { forwardingTo } from '../helpers/forwarding.ts'
import type { SeenRequest } from '../helpers/local-server.ts'
import { patientFetch, patientPost } from '../helpers/patient-fetch.ts'
import { type Test, test } from '../helpers/tap.ts'
import { swapBody, TRANSFER } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const OTHER = '0af7651916cd43dd8448eb211c80319c'
const SPAN = '00f067aa0ba902b7'
const traceparent = `00-${TRACE}-${SPAN}-01`

/** Starts a listening application. Records its log and the requests to its upstreams. */
async function start(t: Test) {
  const devnet = await startNetwork(t)
  const upstreams = await forwardingTo(t, devnet)
  const lines: string[] = []
  const variables = { ...upstreams.env, LOG_LEVEL: 'debug' }
  const server = await build(t, variables, { devnet, logTo: line => lines.push(line) })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const request = (path: string, headers: Record<string, string>, body?: object) =>
    body
      ? patientPost(`http://127.0.0.1:${port}${path}`, body, headers)
      : patientFetch(`http://127.0.0.1:${port}${path}`, { headers })
  const asked = (variable: string): SeenRequest[] =>
    upstreams.seen.filter(({ url }) => url.split(/[/?]/)[1] === variable)
  const logged = () => lines.map(line => JSON.parse(line))
  return { request, asked, logged, seen: upstreams.seen }
}

const quote = `/submit/fees?${new URLSearchParams(TRANSFER)}`

test('adds the trace of a request to its log lines and its upstream calls', async t => {
  const { request, asked, logged } = await start(t)
  const tracestate = 'vendor=t61rcWkgMzE,other@system=1'
  const calls: [path: string, upstream: string, body?: object][] = [
    [quote, 'SERVICE_BACKEND_FEE_URL'],
    ['/chains/pool_balance', 'SERVICE_BACKEND_NODE_PROVIDER_QUERY'],
    ['/tx/7/status', 'SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL'],
    [`/compliant?address=${TRANSFER.originAddress}`, 'COMPLIANCE_URL'],
    ['/kyc', 'KYC_URL', { uuid: randomUUID() }]
  ]
  for (const [path, upstream, body] of calls) {
    const before = asked(upstream).length
    const id = randomUUID()
    await request(path, { traceparent, tracestate, 'x-request-id': id }, body)
    const complete = ({ reqId, msg }: { reqId?: string; msg: string }) =>
      reqId === id && msg === 'request completed'
    const line = await until(() => logged().find(complete), `${path} is logged`)
    t.equal(line.trace_id, TRACE, path)
    t.match(line.span_id, /^[0-9a-f]{16}$/)
    t.not(line.span_id, SPAN, 'the request has a new span id')
    t.strictSame(
      logged().find(({ reqId, msg }) => reqId === id && msg === 'incoming request').span_id,
      line.span_id
    )
    const headers = asked(upstream)[before]?.headers ?? {}
    t.equal(headers['traceparent'], `00-${TRACE}-${line.span_id}-01`, upstream)
    t.equal(headers['tracestate'], tracestate)
  }
})

test('adds the trace of a submission to the log line of a check', async t => {
  const { request, logged } = await start(t)
  await request('/submit/swap', { traceparent }, swapBody({}, { signature: '0xdeadbeef' }))
  t.match(
    logged().find(({ msg }) => msg.includes('would reject this approval')),
    { trace_id: TRACE }
  )
})

test('adds no trace fields or headers without a valid traceparent', async t => {
  const { request, seen, logged } = await start(t)
  for (const invalid of [
    undefined,
    '',
    'no trace',
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `ff-${TRACE}-${SPAN}-01`,
    `${traceparent}, ${traceparent}`
  ]) {
    const headers = invalid === undefined ? {} : { traceparent: invalid }
    t.equal((await request(quote, { ...headers, tracestate: 'a=1' })).status, 200)
  }
  const completed = await until(() => {
    const lines = logged().filter(({ msg }) => msg === 'request completed')
    return lines.length === 6 && lines
  }, 'all requests are logged')
  for (const line of completed)
    t.notOk('trace_id' in line || 'span_id' in line, 'the log line has no trace fields')
  for (const { headers } of seen) t.notOk('traceparent' in headers || 'tracestate' in headers)
})

test('forwards valid trace flags and tracestate, and drops invalid values', async t => {
  const { request, asked } = await start(t)
  const sent = async (headers: Record<string, string>) => {
    const before = asked('SERVICE_BACKEND_FEE_URL').length
    await request(quote, headers)
    return asked('SERVICE_BACKEND_FEE_URL')[before]?.headers ?? {}
  }
  const flags = async (text: string) => (await sent({ traceparent: text }))['traceparent']?.slice(-2)
  t.equal(await flags(`00-${TRACE}-${SPAN}-00`), '00')
  t.equal(await flags(`00-${TRACE}-${SPAN}-03`), '03')
  t.equal(await flags(`00-${TRACE}-${SPAN}-ff`), '03', 'drops undefined flags')
  t.equal((await sent({ traceparent, tracestate: 'a=1 \t, b@c=d e' }))['tracestate'], 'a=1,b@c=d e')
  const states = ['no state', 'a=1,'.repeat(33), `a=${'b'.repeat(600)}`]
  for (const tracestate of states) {
    const headers = await sent({ traceparent, tracestate })
    t.match(headers['traceparent'], TRACE)
    t.notOk('tracestate' in headers, tracestate.slice(0, 20))
  }
})

test('an upstream call shared by several requests belongs to the trace of the first request', async t => {
  const { request, asked } = await start(t)
  const ask = (trace: string) =>
    request('/chains/tss_pubkey', { traceparent: `00-${trace}-${SPAN}-01` }).then(({ status }) => status)
  t.strictSame(await Promise.all([ask(TRACE), ask(TRACE)]), [200, 200])
  t.equal(await ask(OTHER), 200)
  const calls = asked('SERVICE_BACKEND_NODE_PROVIDER_QUERY').filter(({ url }) => url.includes('tss_pubkey'))
  t.equal(calls.length, 1)
  t.match(calls[0]?.headers['traceparent'], TRACE)
})
