import { build, startNetwork } from '../helpers/app.ts'
import { json } from '../helpers/local-server.ts'
import { untilSample } from '../helpers/metrics.ts'
import { patientFetch } from '../helpers/patient-fetch.ts'
import { sending } from '../helpers/raw-connection.ts'
import { type Test, test } from '../helpers/tap.ts'
import { cardBody, ROUTE, submit, swapBody, transferBody } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'
import { throughProxy } from './chain-api.ts'

const OPEN = 'service_event_streams_open'

/** Opens a stream on a separate connection. If the response is not a stream, `text` is its body. */
async function openEvents(url: string, headers: Record<string, string> = {}) {
  const aborting = new AbortController()
  const response = await patientFetch(url, { headers, signal: aborting.signal })
  /** `text` is everything received so far, including heartbeats. */
  const stream = { response, text: '', leave: () => aborting.abort() }
  async function read() {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) stream.text += decoder.decode(chunk, { stream: true })
    return eventsOf(stream.text)
  }
  const ended = read()
  ended.catch(() => {})
  /** `ended` resolves with all events when the server ends the stream; rejects when the connection breaks. */
  return Object.assign(stream, { ended })
}

function eventsOf(text: string): { id: string; data: unknown }[] {
  const events = text.matchAll(/^event: state\nid: (\S+)\ndata: (.*)\n\n/gm)
  return Array.from(events, ([, id = '', data = '']) => ({ id, data: JSON.parse(data) }))
}

/** A record from the chain's REST API. */
const RECORD = { index: '42', creator: 'service1creator', ...ROUTE, amount: '100.5', status: 'Available' }

/** Starts a listening application whose chain API returns `now.record` for a transfer; without a record, it fails. */
async function withTransfer(t: Test) {
  const now: { record: typeof RECORD | undefined } = { record: RECORD }
  const { server, asked } = await throughProxy(
    t,
    (response, { url }) => {
      const isKnown = url.endsWith('/transaction_data/42')
      if (!isKnown) json(response, { code: 5, message: 'not found', details: [] }, 404)
      else if (now.record) json(response, { transactionData: now.record })
      else json(response, {}, 500)
    },
    { SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: '' }
  )
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { server, url, now, asked }
}

const statusOf = ({ data }: { data: unknown }) => /"(?:tx)?status":"(\w+)"/.exec(JSON.stringify(data))?.[1]

/** Asserts that the events have different states, in this order; a stream may miss some that are not the last. */
function inOrder(t: Test, events: { data: unknown }[], order: string[]): void {
  const statuses = events.map(statusOf)
  const expected = order.filter(status => statuses.includes(status))
  t.strictSame(statuses, expected)
  t.equal(statuses.at(-1), order.at(-1))
}

test('sends each status of a transfer once, in order, until the transfer is completed', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 400 })
  const server = await build(t, {}, { devnet })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const { txId } = (await submit(server, await transferBody(server))).json()
  const stream = await openEvents(`${url}/tx/${txId}/events`, { origin: 'https://shop.example' })
  t.equal(stream.response.status, 200)
  t.match(Object.fromEntries(stream.response.headers), {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': /^no$/,
    'access-control-allow-origin': 'https://shop.example'
  })
  const all = await stream.ended
  t.match(stream.text, /^retry: 3000\nevent: state\n/)
  inOrder(t, all, ['Available', 'Pull_Confirmed', 'Pulled', 'Paid', 'Completed'])
  t.equal(new Set(all.map(({ id }) => id)).size, all.length)
  const last = all.at(-1)
  t.same(last?.data, (await server.inject(`/tx/${txId}/status`)).json())

  const again = (lastEventId = '') => openEvents(`${url}/tx/${txId}/events`, { 'last-event-id': lastEventId })
  const finished = await again(last?.id)
  t.equal(finished.response.status, 204, 'a client that has the final state gets 204')
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
  const present = eventsOf(streams[0]?.text ?? '').at(-1)?.id ?? ''
  const again = await openEvents(`${url}${path}/events`, { 'last-event-id': present })
  t.equal(again.response.status, 200, 'a client that has a state that is not final waits for the next')
  again.leave()
  devnet.chain.resume()
  for (const stream of streams) {
    const all = await stream.ended
    const last = all.at(-1)
    t.same(last?.data, (await server.inject(path)).json())
    t.match(last?.data, { submissionId, status: 'committed', txId: Number })
    inOrder(t, all, ['queued', 'broadcast', 'committed'])
    const settled = await openEvents(`${url}${path}/events`, { 'last-event-id': last?.id ?? '' })
    t.equal(settled.response.status, 204)
  }
})

test('the last event of a swap or pool transaction is its status, in both formats', async t => {
  for (const SERVICE_RESPONSE_FORMAT of ['documented', 'widget']) {
    const server = await build(t, { SERVICE_RESPONSE_FORMAT })
    const { txId } = (await submit(server, swapBody(), { path: '/submit/swap' })).json()
    const asTransfer = SERVICE_RESPONSE_FORMAT === 'documented' ? [`/tx/${txId}`] : []
    for (const path of [`/swap_tx/${txId}`, ...asTransfer, '/tx/lp/1']) {
      const event = eventsOf((await server.inject(`${path}/events`)).body).at(-1)
      t.same(event?.data, (await server.inject(`${path}/status`)).json())
      const headers = { 'last-event-id': event?.id ?? '' }
      t.equal((await server.inject({ url: `${path}/events`, headers })).statusCode, 204)
    }
  }
})

test('a stream survives chain API failures, and never repeats an earlier status', async t => {
  const { now, asked, url } = await withTransfer(t)
  /** Resolves when the service has read this from the chain API. */
  async function read(record: typeof RECORD | undefined): Promise<void> {
    now.record = record
    const before = asked().length
    await until(() => asked().length > before + 2, 'the record is read')
  }
  now.record = { ...RECORD, status: 'Pulled' }
  const stream = await openEvents(`${url}/tx/42/events`)
  await until(() => eventsOf(stream.text).length > 0, 'the first event has arrived')
  await read(undefined)
  await read({ ...RECORD, status: 'Available' })
  now.record = { ...RECORD, status: 'Completed' }
  t.strictSame((await stream.ended).map(statusOf), ['Pulled', 'Completed'])
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
