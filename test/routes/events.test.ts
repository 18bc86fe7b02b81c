import type { FastifyInstance } from 'fastify'
import { build, startNetwork } from '../helpers/app.ts'
import { json, serve } from '../helpers/local-server.ts'
import { untilSample } from '../helpers/metrics.ts'
import { patientFetch } from '../helpers/patient-fetch.ts'
import { sending } from '../helpers/raw-connection.ts'
import { type Test, test } from '../helpers/tap.ts'
import { ROUTE } from '../helpers/transfer.ts'
import { cardBody, submit, swapBody, transferBody } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'
import { eventsOf, openEvents } from './event-stream.ts'

const OPEN = 'service_event_streams_open'
const LISTED = { origin: 'https://shop.example' }

/** A record from the chain's REST API. */
const RECORD = {
  index: '42',
  creator: 'service1creator',
  ...ROUTE,
  amount: '100.5',
  status: 'Available',
  tssPullHash: '',
  tssReleaseHash: '',
  tssRefundHash: '',
  failReason: '',
  pullFailCount: '0',
  releaseFailCount: '0',
  serviceTxHash: 'AB12'
}

interface Served {
  server: FastifyInstance
  url: string
  /** Record that the chain API returns for the transfer. If undefined, the chain API fails. */
  record: typeof RECORD | undefined
  /** The calls of the chain API so far. */
  seen: readonly unknown[]
}

/** Starts a listening application whose chain API returns a transfer record that the test can change. */
async function withTransfer(t: Test): Promise<Served> {
  const upstream = await serve(t, ({ url }, response) => {
    if (!url.endsWith('/transaction_data/42'))
      json(response, { code: 5, message: 'not found', details: [] }, 404)
    else if (served.record === undefined) json(response, { message: 'internal detail' }, 500)
    else json(response, { transactionData: served.record })
  })
  const server = await build(t, {
    SERVICE_BACKEND_NODE_PROVIDER_QUERY: upstream.url,
    SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: ''
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const served: Served = { server, url, record: RECORD, seen: upstream.seen }
  return served
}

const statusOf = ({ data }: { data: unknown }) => /"txstatus":"(\w+)"/.exec(JSON.stringify(data))?.[1]

test('sends each status of a transfer once, in order, until the transfer is completed', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 400 })
  const server = await build(t, {}, { devnet })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const { txId } = (await submit(server, await transferBody(server))).json()
  const stream = await openEvents(`${url}/tx/${txId}/events`, LISTED)
  t.equal(stream.status, 200)
  const expected = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': /./,
    'access-control-allow-origin': LISTED.origin,
    'access-control-allow-credentials': 'true'
  }
  t.match(Object.fromEntries(stream.headers), expected)
  const all = await stream.ended
  t.match(stream.text, /^retry: 3000\nevent: state\n/)
  const ways = ['Available', 'Pull_Confirmed', 'Pulled', 'Paid', 'Completed']
  const statuses = all.map(statusOf)
  t.strictSame(
    statuses,
    ways.filter(status => statuses.includes(status))
  )
  t.equal(statuses.at(-1), 'Completed')
  t.equal(new Set(all.map(({ id }) => id)).size, all.length)
  const last = all.at(-1)
  t.same(last?.data, (await server.inject(`/tx/${txId}/status`)).json())

  const again = (lastEventId = '') => openEvents(`${url}/tx/${txId}/events`, { 'last-event-id': lastEventId })
  const finished = await again(last?.id)
  t.equal(finished.status, 204, 'a client that has the final state gets 204')
  t.strictSame(await finished.ended, [])
  for (const id of [...all.slice(0, -1).map(({ id }) => id), 'no such id', ''])
    t.strictSame(await (await again(id)).ended, [last])
})

test('sends each state of a submission until the submission is settled', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, { SERVICE_SUBMIT_TIMEOUT: '1' }, { devnet })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  devnet.chain.pause()
  const { submissionId } = (await submit(server, cardBody())).json()
  const path = `/submissions/${submissionId}`
  const streams = await Promise.all([1, 2].map(() => openEvents(`${url}${path}/events`)))
  for (const stream of streams)
    await until(() => /"status":"broadcast"/.test(stream.text), 'the submission is broadcast')
  const present = streams[0]?.events.at(-1)?.id ?? ''
  const again = await openEvents(`${url}${path}/events`, { 'last-event-id': present })
  t.equal(again.status, 200, 'a client that has a state that is not final waits for the next')
  again.leave()
  devnet.chain.resume()
  for (const stream of streams) {
    const all = await stream.ended
    const last = all.at(-1)
    t.same(last?.data, (await server.inject(path)).json())
    t.match(last?.data, { submissionId, status: 'committed', txId: Number })
    const states = all.map(({ data }) => /"status":"(\w+)"/.exec(JSON.stringify(data))?.[1])
    const order = ['queued', 'broadcast', 'committed']
    t.strictSame(
      states,
      order.filter(state => states.includes(state))
    )
    const { status } = await openEvents(`${url}${path}/events`, { 'last-event-id': last?.id ?? '' })
    t.equal(status, 204)
  }
})

test('the last event of a swap or pool transaction is its status, in both formats', async t => {
  for (const SERVICE_RESPONSE_FORMAT of ['documented', 'widget']) {
    const server = await build(t, { SERVICE_RESPONSE_FORMAT })
    const { txId } = (await submit(server, swapBody(), { path: '/submit/swap' })).json()
    const swaps =
      SERVICE_RESPONSE_FORMAT === 'documented' ? [`/swap_tx/${txId}`, `/tx/${txId}`] : [`/swap_tx/${txId}`]
    for (const path of [...swaps, '/tx/lp/1']) {
      const event = eventsOf((await server.inject(`${path}/events`)).body).at(-1)
      t.same(event?.data, (await server.inject(`${path}/status`)).json())
      const headers = { 'last-event-id': event?.id ?? '' }
      t.equal((await server.inject({ url: `${path}/events`, headers })).statusCode, 204)
    }
  }
})

test('returns an ordinary error response if the stream cannot start', async t => {
  const served = await withTransfer(t)
  const refused = async (path: string, headers: Record<string, string> = {}) => {
    const response = await patientFetch(`${served.url}${path}`, { headers })
    t.match(response.headers.get('content-type'), 'application/json')
    return { status: response.status, body: await response.json() }
  }
  const notFound = { status: 404, body: { code: 'NOT_FOUND' } }
  for (const path of ['/tx/7', '/swap_tx/7', '/tx/lp/7', '/submissions/none']) {
    t.match(await refused(`${path}/events`), notFound, path)
  }
  for (const path of ['/tx/abc', '/swap_tx/abc', '/tx/lp/abc', '/submissions/%20'])
    t.match(await refused(`${path}/events`), { status: 400, body: { code: 'VALIDATION' } }, path)
  const other = { origin: 'https://evil.example' }
  t.match(await refused('/tx/42/events', other), { status: 403, body: { code: 'ORIGIN_BLOCKED' } })
  served.record = undefined
  t.match(await refused('/tx/42/events', LISTED), { status: 502, body: { code: 'UPSTREAM_ERROR' } })
})

test('a stream survives chain API failures, and never repeats an earlier status', async t => {
  const served = await withTransfer(t)
  const reports = (status: string) => {
    served.record = { ...RECORD, status }
  }
  reports('Pulled')
  const stream = await openEvents(`${served.url}/tx/42/events`)
  await stream.first(1)
  served.record = undefined
  await untilSample(
    served.server,
    'service_upstream_request_duration_seconds_count',
    { result: 'failed' },
    value => value > 1
  )
  const { seen } = served
  reports('Available')
  const later = seen.length + 2
  await until(() => seen.length > later, 'the older record is read')
  reports('Completed')
  const states = (await stream.ended).map(statusOf)
  t.strictSame(states, ['Pulled', 'Completed'])
})

test('closes the stream, however the client disconnects', async t => {
  const { server, url } = await withTransfer(t)
  const request = 'GET /tx/42/events HTTP/1.1\r\nhost: service.example\r\n\r\n'
  const stream = await openEvents(`${url}/tx/42/events`)
  const sockets = [1, 2, 3].map(() => sending(Number(new URL(url).port), request).resume())
  await untilSample(server, OPEN, {}, value => value === 4)
  stream.leave()
  sockets[0]?.resetAndDestroy()
  sockets[1]?.end()
  sockets[2]?.destroy()
  await untilSample(server, OPEN, {}, value => value === 0)
})
