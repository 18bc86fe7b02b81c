import type { ServerResponse } from 'node:http'
import type { TransactionRecord } from '../../packages/client/index.ts'
import { json, type SeenRequest, serve } from '../helpers/local-server.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { createSkippingClient } from './skipping-client.ts'

const record = (txstatus: string, failreason = '') => ({ tx_id: 7, txstatus, failreason })
const answerOf = (state: object) => ({ data: { transaction_data: [state] } })
const eventOf = (state: object, id: string) =>
  `event: state\nid: ${id}\ndata: ${JSON.stringify(answerOf(state))}\n\n`

type Answer = (response: ServerResponse, request: SeenRequest) => void

/** Opens an event stream and leaves it open for more events. */
const stream =
  (...pieces: (string | Uint8Array)[]): Answer =>
  response => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    for (const piece of pieces) response.write(piece)
  }

const streamThatEnds =
  (...pieces: string[]): Answer =>
  response =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(pieces.join(''))

const refusal =
  (statusCode: number, code: string): Answer =>
  response =>
    json(response, { statusCode, code, error: 'x', message: 'no', requestId: 'r' }, statusCode)
const notFound = refusal(404, 'NOT_FOUND')
const busy = refusal(503, 'OVERLOADED')
const lost: Answer = response => void response.destroy()

async function statusesOf(states: AsyncIterable<Pick<TransactionRecord, 'txstatus' | 'failreason'>>) {
  const seen: string[] = []
  for await (const { txstatus, failreason } of states) seen.push(txstatus + failreason)
  return seen
}

const at = (...statuses: string[]): Answer[] =>
  statuses.map(status => response => json(response, answerOf(record(status))))

/**
 * A client of a service that sends these responses in order, and repeats the last one. `watch` returns the states of a
 * transfer.
 */
async function scripted(t: Test, events: Answer[], statuses: Answer[] = [lost], limits = {}) {
  const server = await serve(t, (request, response) => {
    const answers = request.url.endsWith('/events') ? events : statuses
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    answer?.(response, request)
  })
  const client = createSkippingClient(server.url, limits)
  const watch = (signal?: AbortSignal) => statusesOf(client.watch({ txId: 7 }, signal && { signal }))
  return { client, server, watch }
}

test('yields each state that the service reports, up to the final one', async t => {
  const states = ['Available', 'Pulled', 'Completed', 'Available']
  const events = states.map((state, index) => eventOf(record(state), `${index}`))
  const { server, watch } = await scripted(t, [stream('retry: 3000\n\n: hello\n\n', ...events)])
  t.same(await watch(), ['Available', 'Pulled', 'Completed'])
  t.match(server.seen, [{ url: '/tx/7/events', headers: { accept: 'text/event-stream' } }])
})

test('reads amounts in the format of widgets as decimal strings', async t => {
  const data = { transaction_data: { ...record('Completed'), tx_id: '7', amount: 1e-7, amountout: 'None' } }
  const answer: Answer = response => json(response, { data })
  const { client } = await scripted(t, [answer], [answer])
  t.match(await client.watch({ txId: 7 }).next(), {
    value: { tx_id: 7, amount: '0.0000001', amountout: 'None' }
  })
})

test('resumes a broken stream after the last event', async t => {
  const [before, after] = [eventOf(record('Pulled', ' — zu spät'), 'b'), eventOf(record('Completed'), 'c')]
  const bytes = new TextEncoder().encode(before)
  const middle = bytes.indexOf(0xc3) + 1
  const broken: Answer = (response, request) => {
    stream(eventOf(record('Available'), 'a'))(response, request)
    response.write(bytes.slice(0, middle), () => response.destroy())
  }
  const streams = [broken, streamThatEnds(before), stream(after)]
  const { server, watch } = await scripted(t, streams, at('Available'))
  t.same(await watch(), ['Available', 'Pulled — zu spät', 'Completed'])
  const opened = server.seen.filter(({ url }) => url.endsWith('/events'))
  const lastIds = opened.map(({ headers }) => headers['last-event-id'])
  t.same(lastIds, [undefined, 'a', 'b'])
})

test('stops when the service ends the stream after an unknown final state', async t => {
  const ended: Answer = response => void response.writeHead(204).end()
  const { watch } = await scripted(t, [streamThatEnds(eventOf(record('Recalled'), 'x')), ended])
  t.same(await watch(), ['Recalled'])
})

const NO_EVENTS: Record<string, Answer> = {
  'an older service without streams': notFound,
  'a proxy that answers HTML': response =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  'a proxy that sends no response': () => {},
  'a proxy that sends headers but no body': response =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
  'a stream that goes silent': stream(eventOf(record('Available'), 'a')),
  'a service that rejects the stream': busy,
  'a stream that ends immediately': streamThatEnds(),
  'a connection that breaks immediately': lost,
  'a stream with invalid JSON': streamThatEnds('event: state\ndata: {\n\n'),
  'a stream with invalid states': streamThatEnds('event: state\ndata: {"data":{}}\n\n'),
  'a stream about another transfer': streamThatEnds(eventOf({ ...record('Completed'), tx_id: 8 }, 'a')),
  'a stream of comments without a state': (response, request) => {
    stream(':\n\n')(response, request)
    const timer = setInterval(() => response.write(':\n\n'), 20)
    response.on('close', () => clearInterval(timer))
  },
  'an endless event': stream(`data: ${'x'.repeat(2_000_000)}`)
}

for (const [name, answer] of Object.entries(NO_EVENTS)) {
  test(`polls the status when the stream fails: ${name}`, async t => {
    const statuses = at('Available', 'Available', 'Pulled', 'Completed')
    const { client, watch } = await scripted(t, [answer], statuses, { firstStateMs: 100, silenceMs: 100 })
    t.same(await watch(), ['Available', 'Pulled', 'Completed'])
    t.ok(client.waited() >= 3000, `${client.waited()} ms between the polls`)
  })
}

test('retries failed polls, and increases the interval between polls', async t => {
  const silent: Answer = () => {}
  const cut: Answer = response => void response.writeHead(200).write('{')
  const slow = await scripted(t, [notFound], [silent, cut, ...at('Completed')], { requestMs: 500 })
  t.same(await slow.watch(), ['Completed'])
  const garbage: Answer = response => void response.end('{')
  const many = at(...Array(60).fill('Available'), 'Completed')
  const { client, watch } = await scripted(t, [notFound], [busy, ...at('Available'), garbage, ...many])
  t.same(await watch(), ['Available', 'Completed'])
  t.ok(client.waited() > 75_000, `${client.waited()} ms`)
})

test('reads the stream of a transfer that was not found at first', async t => {
  const events = stream(eventOf(record('Pulled'), 'a'), eventOf(record('Completed'), 'b'))
  const { watch } = await scripted(t, [notFound, events], [notFound, ...at('Completed')])
  t.same(await watch(), ['Pulled', 'Completed'])
})

test('retries when an id is not found, and reports NOT_FOUND within 40 seconds', async t => {
  const late = await scripted(t, [notFound], [notFound, notFound, ...at('Completed')])
  t.same(await late.watch(), ['Completed'])
  const { client, watch } = await scripted(t, [notFound], [notFound])
  await t.rejects(watch(), { code: 'NOT_FOUND' })
  t.ok(client.waited() < 40_000, `${client.waited()} ms`)
})

test('fails after two minutes without a successful response', async t => {
  const { client, watch } = await scripted(t, [lost])
  await t.rejects(watch(), { code: 'NETWORK' })
  t.ok(client.waited() >= 60_000 && client.waited() < 160_000, `${client.waited()} ms`)
})

test('closes the stream when the caller aborts or leaves the loop', async t => {
  let isOpen = false
  const waiting: Answer = (response, request) => {
    isOpen = true
    response.on('close', () => {
      isOpen = false
    })
    stream(eventOf(record('Available'), 'a'))(response, request)
  }
  const { client, watch } = await scripted(t, [waiting])
  const user = new AbortController()
  const watching = t.rejects(watch(user.signal), { code: 'ABORTED' })
  await until(() => isOpen, 'the stream is open')
  user.abort()
  await watching
  await until(() => !isOpen, 'the stream is closed')

  for await (const { txstatus } of client.watch({ txId: 7 })) {
    t.equal(txstatus, 'Available')
    break
  }
  await until(() => !isOpen, 'the stream is closed')
  await t.rejects(watch(AbortSignal.abort()), { code: 'ABORTED' })
})

test('keeps pauses within limits when retry-after is very long or retry is zero', async t => {
  const long: Answer = response => void response.writeHead(503, { 'retry-after': '99999999' }).end()
  const refused = await scripted(t, [long], [long])
  await t.rejects(refused.watch(), { code: 'UNREADABLE' })
  t.ok(refused.client.waited() <= 300_000, `${refused.client.waited()} ms`)
  t.equal(refused.server.seen.length, 2)
  for (const [retry, least] of [
    [0, 1_000],
    [9_000, 9_000]
  ] as const) {
    const first = streamThatEnds(`retry: ${retry}\n\n`, eventOf(record('Pulled'), 'a'))
    const { client, watch } = await scripted(t, [first, streamThatEnds(eventOf(record('Completed'), 'b'))])
    t.same(await watch(), ['Pulled', 'Completed'])
    t.ok(client.waited() >= least, `${client.waited()} ms`)
  }
})

test('rejects a response that contains the state of a different transfer or swap', async t => {
  const other = { ...record('Completed'), tx_id: 8 }
  const server = await serve(t, (request, response) => {
    if (request.url.endsWith('/events')) return notFound(response, request)
    const data = request.url.startsWith('/swap_tx/') ? { swap_data: [other] } : { transaction_data: other }
    json(response, { data })
  })
  const client = createSkippingClient(server.url)
  await t.rejects(statusesOf(client.watch({ txId: 7 })), { code: 'UNREADABLE' })
  await t.rejects(statusesOf(client.watch({ txId: 7, kind: 'swap' })), { code: 'UNREADABLE' })
  t.same(await statusesOf(client.watch({ txId: 8, kind: 'swap' })), ['Completed'])
})
