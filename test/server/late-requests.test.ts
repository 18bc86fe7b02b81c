import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { build, startNetwork } from '../helpers/app.ts'
import { answersOf, closed, sending, trickle } from '../helpers/raw-connection.ts'
import { type Test, test } from '../helpers/tap.ts'
import { submitBody } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'

/** In milliseconds. Node checks for late requests every second. */
const LIMIT_MS = 700

const head = (path: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nhost: service.example\r\ncontent-type: application/json\r\n${headers}\r\n`
const length = 'content-length: 1000\r\n'
const health = 'GET /health HTTP/1.1\r\nhost: service.example\r\n\r\n'

async function listen(t: Test, env = {}): Promise<{ app: FastifyInstance; port: number }> {
  const app = await build(t, env)
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  return { app, port: Number(port) }
}

test('a request that does not arrive in time gets a 408', async t => {
  const { app, port } = await listen(t)
  // Node swaps the two limits if the one for headers is longer.
  app.server.headersTimeout = LIMIT_MS
  app.server.requestTimeout = LIMIT_MS
  const stages = {
    'no byte': '',
    'half a request line': 'POST /sub',
    'half the headers': 'POST /submit HTTP/1.1\r\nhost: service.example\r\n',
    'half a body': `${head('/submit', length)}{"amount":`,
    'half a chunk': `${head('/submit', 'transfer-encoding: chunked\r\n')}ff\r\n{"amount":`,
    'half the body of a transfer': `${head('/submit/transfer', length)}{"amount":`,
    'half the body of a swap': `${head('/submit/swap', length)}{"amount":`,
    'half the body for KYC': `${head('/kyc', length)}{`,
    'no body after 100 Continue': head('/submit', `${length}expect: 100-continue\r\n`),
    'no body for an unknown route': head('/nowhere', length),
    'half of a second request': `${health}GET /hea`
  }
  const endings = Object.entries(stages).flatMap(([stage, bytes]) => [
    { stage, responses: answersOf(sending(port, bytes)) },
    // A request cannot start with x.
    ...(bytes === ''
      ? []
      : [{ stage: `${stage}, then a byte now and then`, responses: trickling(port, bytes) }])
  ])
  for (const { stage, responses } of endings) {
    const last = (await responses).at(-1)
    t.equal(last?.status, 408, stage)
    t.match(last?.head, /^connection: close$/m, stage)
    t.match(
      JSON.parse(last?.body ?? ''),
      { statusCode: 408, code: 'REQUEST_TIMEOUT', requestId: String },
      stage
    )
  }
})

function trickling(port: number, bytes: string) {
  const socket = sending(port, bytes)
  trickle(socket, 100)
  return answersOf(socket)
}

test('a request rejected before its body arrives gets an immediate response', async t => {
  const { port } = await listen(t, { RATE_LIMIT_MAX: '4' })
  const refusals = {
    ORIGIN_BLOCKED: head('/submit', `${length}origin: https://evil.example\r\n`),
    BODY_TOO_LARGE: head('/submit', 'content-length: 100000000\r\n'),
    BAD_REQUEST: head('/tx/%zz/status', length),
    UNSUPPORTED_MEDIA_TYPE: head('/submit', length).replace('json', 'xml'),
    RATE_LIMITED: head('/submit', length)
  }
  for (const [code, bytes] of Object.entries(refusals)) {
    if (code === 'RATE_LIMITED') await flood(port)
    const socket = sending(port, bytes)
    t.teardown(() => socket.destroy())
    const [response] = await once(socket, 'data')
    t.match(String(response), `"code":"${code}"`)
  }
})

async function flood(port: number): Promise<void> {
  for (let n = 0; n < 5; n += 1) await fetch(`http://127.0.0.1:${port}/uuid`)
}

test('a rejected request whose body came with its headers keeps its connection', async t => {
  const { port } = await listen(t)
  const refused = `${head('/submit', 'content-length: 2\r\norigin: https://evil.example\r\n')}{}`
  const last = 'GET /health HTTP/1.1\r\nhost: service.example\r\nconnection: close\r\n\r\n'
  const responses = await answersOf(sending(port, `${refused}${last}`))
  t.same(
    responses.map(({ status }) => status),
    [403, 200]
  )
})

test('an invalid request does not get the response that an earlier one waits for', async t => {
  const devnet = await startNetwork(t)
  devnet.chain.pause()
  const app = await build(t, { SERVICE_SUBMIT_TIMEOUT: '1000' }, { devnet })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const body = submitBody('a-quote')
  const submission = `${head('/submit', `content-length: ${body.length}\r\n`)}${body}`

  // Retries when the server is too busy.
  const answersTo = (bytes: string) =>
    until(async () => {
      const responses = await answersOf(sending(Number(port), bytes))
      return responses.every(({ status }) => status !== 503) && responses
    }, 'the server has time')
  const responses = await answersTo(`${submission}\0 garbage\r\n\r\n`)
  t.same(responses, [], 'a client without a response retries')
  const [retry] = await answersTo(submission.replace('\r\n', '\r\nconnection: close\r\n'))
  t.equal(retry?.status, 202, 'and joins the submission that was accepted')
})

test('connections beyond the limit are logged once a minute', async t => {
  const lines: string[] = []
  const app = await build(t, { LOG_LEVEL: 'warn' }, { logTo: line => lines.push(line) })
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  app.server.maxConnections = 1
  const first = sending(port, health)
  await once(first, 'data')
  await Promise.all([1, 2, 3].map(() => closed(sending(port, '').resume())))
  first.destroy()
  t.equal(lines.filter(line => line.includes('too many connections')).length, 1)
})
