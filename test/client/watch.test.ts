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
  response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(pieces.join(''))
  }

const notFound: Answer = response =>
  json(
    response,
    { statusCode: 404, code: 'NOT_FOUND', error: 'Not Found', message: 'no', requestId: 'r' },
    404
  )

const busy: Answer = response =>
  json(response, { statusCode: 503, code: 'OVERLOADED', error: 'x', message: 'no', requestId: 'r' }, 503)

interface Script {
  /** Responses in order. The last response is repeated. */
  events: Answer[]
  statuses?: Answer[]
}

async function scripted(t: Test, { events, statuses = [] }: Script, limits = {}) {
  const server = await serve(t, (request, response) => {
    const answers = request.url.endsWith('/events') ? events : statuses
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer === undefined) response.destroy()
    else answer(response, request)
  })
  return { client: createSkippingClient(server.url, limits), server }
}

async function statusesOf(states: AsyncIterable<Pick<TransactionRecord, 'txstatus' | 'failreason'>>) {
  const seen: string[] = []
  for await (const { txstatus, failreason } of states) seen.push(txstatus + failreason)
  return seen
}

const at = (...states: object[]) =>
  states.map(
    (state): Answer =>
      response =>
        json(response, answerOf(state))
  )

test('yields each state that the service reports, up to the final one', async t => {
  const { client, server } = await scripted(t, {
    events: [
      stream(
        'retry: 3000\n\n: hello\n\n',
        eventOf(record('Available'), 'a'),
        eventOf(record('Pulled'), 'b'),
        eventOf(record('Completed'), 'c'),
        eventOf(record('Available'), 'd')
      )
    ]
  })
  t.same(await statusesOf(client.watch({ txId: 7 })), ['Available', 'Pulled', 'Completed'])
  t.same(
    server.seen.map(({ url }) => url),
    ['/tx/7/events']
  )
  t.equal(server.seen[0]?.headers.accept, 'text/event-stream')
})

test('resumes a broken stream after the last event', async t => {
  const [before, after] = [eventOf(record('Pulled', ' — zu spät'), 'b'), eventOf(record('Completed'), 'c')]
  const bytes = new TextEncoder().encode(before)
  const middle = bytes.indexOf(0xc3) + 1
  const { client, server } = await scripted(t, {
    events: [
      response => {
        stream(eventOf(record('Available'), 'a'))(response, {} as SeenRequest)
        response.write(bytes.slice(0, middle), () => response.destroy())
      },
      streamThatEnds(before),
      stream(after)
    ],
    statuses: at(record('Available'))
  })
  t.same(await statusesOf(client.watch({ txId: 7 })), ['Available', 'Pulled — zu spät', 'Completed'])
  const ids = server.seen
    .filter(({ url }) => url.endsWith('/events'))
    .map(({ headers }) => headers['last-event-id'])
  t.same(ids, [undefined, 'a', 'b'])
})

test('stops when the service ends the stream after an unknown final state', async t => {
  const { client } = await scripted(t, {
    events: [streamThatEnds(eventOf(record('Recalled'), 'x')), response => void response.writeHead(204).end()]
  })
  t.same(await statusesOf(client.watch({ txId: 7 })), ['Recalled'])
})

const NO_EVENTS: Record<string, Answer> = {
  'an older service without streams': notFound,
  'a proxy that answers HTML': response =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  'an empty response': response => void response.writeHead(204).end(),
  'a proxy that sends no response': () => {},
  'a proxy that sends headers but no body': response =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
  'a stream that goes silent': stream(eventOf(record('Available'), 'a')),
  'a service that rejects the stream': busy,
  'a stream that ends immediately': streamThatEnds(),
  'a connection that breaks immediately': response => response.destroy(),
  'a stream with other events': streamThatEnds('data: hello\n\n'),
  'a stream with invalid JSON': streamThatEnds('event: state\ndata: {\n\n'),
  'a stream with invalid states': streamThatEnds('event: state\ndata: {"data":{}}\n\n'),
  'a stream about another transfer': streamThatEnds(eventOf({ ...record('Completed'), tx_id: 8 }, 'a')),
  'a stream of comments without a state': response => {
    stream(':\n\n')(response, {} as SeenRequest)
    const timer = setInterval(() => response.write(':\n\n'), 20)
    response.on('close', () => clearInterval(timer))
  },
  'an endless event': stream(`data: ${'x'.repeat(2_000_000)}`)
}

for (const [name, answer] of Object.entries(NO_EVENTS)) {
  test(`polls the status when the stream fails: ${name}`, async t => {
    const states = ['Available', 'Available', 'Pulled', 'Completed'].map(status => record(status))
    const limits = { firstStateMs: 100, silenceMs: 100 }
    const { client } = await scripted(t, { events: [answer], statuses: at(...states) }, limits)
    t.same(await statusesOf(client.watch({ txId: 7 })), ['Available', 'Pulled', 'Completed'])
    t.ok(client.waited() >= 3000, `${client.waited()} ms between the polls`)
  })
}

test('retries failed polls, and increases the interval between polls', async t => {
  const garbage: Answer = response => void response.end('{')
  const silent: Answer = () => {}
  const cut: Answer = response => void response.writeHead(200).write('{')
  const slow = await scripted(
    t,
    { events: [notFound], statuses: [silent, cut, ...at(record('Completed'))] },
    { requestMs: 500 }
  )
  t.same(await statusesOf(slow.client.watch({ txId: 7 })), ['Completed'])
  const statuses = [
    busy,
    ...at(record('Available')),
    garbage,
    ...at(...Array(60).fill(record('Available')), record('Completed'))
  ]
  const { client } = await scripted(t, { events: [notFound], statuses })
  t.same(await statusesOf(client.watch({ txId: 7 })), ['Available', 'Completed'])
  t.ok(client.waited() > 75_000, `${client.waited()} ms`)
})

test('retries when an id is not found, and reports NOT_FOUND within 40 seconds', async t => {
  const late = await scripted(t, {
    events: [notFound],
    statuses: [notFound, notFound, ...at(record('Completed'))]
  })
  t.same(await statusesOf(late.client.watch({ txId: 7 })), ['Completed'])
  const unknown = await scripted(t, { events: [notFound], statuses: [notFound] })
  await t.rejects(statusesOf(unknown.client.watch({ txId: 7 })), { code: 'NOT_FOUND' })
  t.ok(unknown.client.waited() < 40_000, `${unknown.client.waited()} ms`)
})

test('fails after two minutes without a successful response', async t => {
  const { client } = await scripted(t, { events: [], statuses: [] })
  await t.rejects(statusesOf(client.watch({ txId: 7 })), { code: 'NETWORK' })
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
  const { client } = await scripted(t, { events: [waiting] })
  const user = new AbortController()
  const watching = t.rejects(statusesOf(client.watch({ txId: 7 }, { signal: user.signal })), {
    code: 'ABORTED'
  })
  await until(() => isOpen, 'the stream is open')
  user.abort()
  await watching
  await until(() => !isOpen, 'the stream is closed')

  for await (const { txstatus } of client.watch({ txId: 7 })) {
    t.equal(txstatus, 'Available')
    break
  }
  await until(() => !isOpen, 'the stream is closed')
  await t.rejects(statusesOf(client.watch({ txId: 7 }, { signal: AbortSignal.abort() })), { code: 'ABORTED' })
})

test('keeps pauses within limits when retry-after is very long or retry is zero', async t => {
  const refusal: Answer = response => void response.writeHead(503, { 'retry-after': '99999999' }).end()
  const busy = await scripted(t, { events: [refusal], statuses: [refusal] })
  await t.rejects(statusesOf(busy.client.watch({ txId: 7 })), { code: 'UNREADABLE' })
  t.ok(busy.client.waited() <= 300_000, `${busy.client.waited()} ms`)
  t.equal(busy.server.seen.length, 2)
  for (const [retry, least] of [
    [0, 1_000],
    [9_000, 9_000]
  ] as const) {
    const { client } = await scripted(t, {
      events: [
        streamThatEnds(`retry: ${retry}\n\n`, eventOf(record('Pulled'), 'a')),
        streamThatEnds(eventOf(record('Completed'), 'b'))
      ]
    })
    t.same(await statusesOf(client.watch({ txId: 7 })), ['Pulled', 'Completed'])
    t.ok(client.waited() >= least, `${client.waited()} ms`)
  }
})

test('rejects a response that contains the state of a different transfer or swap', async t => {
  const other = { ...record('Completed'), tx_id: 8 }
  const server = await serve(t, ({ url }, response) => {
    if (url.endsWith('/events')) return notFound(response, {} as SeenRequest)
    json(response, {
      data: url.startsWith('/swap_tx/') ? { swap_data: [other] } : { transaction_data: other }
    })
  })
  const client = createSkippingClient(server.url)
  await t.rejects(statusesOf(client.watch({ txId: 7 })), { code: 'UNREADABLE' })
  await t.rejects(statusesOf(client.watch({ txId: 7, kind: 'swap' })), { code: 'UNREADABLE' })
  t.same(await statusesOf(client.watch({ txId: '8' as never, kind: 'swap' })), ['Completed'])
})
