import type { IncomingMessage } from 'node:http'
import { type BuildOptions, build, startNetwork } from '../helpers/app.ts'
import { answersOf, closed, firstBytes, sending, trickle } from '../helpers/raw-connection.ts'
import { type Test, test } from '../helpers/tap.ts'
import { submitBody } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'

/** Request timeout in milliseconds. Node checks for late requests every second. */
const LIMIT_MS = 700

const head = (path: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nhost: service.example\r\ncontent-type: application/json\r\n${headers}\r\n`
const length = 'content-length: 1000\r\n'
const health = 'GET /health HTTP/1.1\r\nhost: service.example\r\n\r\n'

async function listen(t: Test, env = {}, options: BuildOptions = {}) {
  const app = await build(t, env, options)
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  return { app, port: Number(port) }
}

test('an incomplete request gets a 408 when it times out', async t => {
  const { app, port } = await listen(t)
  t.equal(app.server.requestTimeout, 25_000)
  // Set both timeouts: if headersTimeout is longer than requestTimeout, Node swaps the two.
  app.server.headersTimeout = LIMIT_MS
  app.server.requestTimeout = LIMIT_MS
  const half = `${head('/submit', length)}{"amount":`
  const stages = {
    'no bytes': '',
    'half of the headers': 'POST /submit HTTP/1.1\r\nhost: service.example\r\n',
    'half of a body': half,
    'no body after 100 Continue': head('/submit', `${length}expect: 100-continue\r\n`),
    'no body for an unknown route': head('/nowhere', length),
    'half of a second, pipelined request': `${health}GET /hea`
  }
  const endings = Object.entries(stages).map(([stage, bytes]) => {
    return { stage, responses: answersOf(sending(port, bytes)) }
  })
  const trickling = sending(port, half)
  endings.push({ stage: 'a trickling body', responses: answersOf(trickling) })
  trickle(trickling, 100)
  for (const { stage, responses } of endings) t.equal((await responses).at(-1)?.status, 408, stage)
})

test('a request that is rejected before its body arrives gets its response immediately', async t => {
  const { port } = await listen(t, { RATE_LIMIT_MAX: '4' })
  const refusals = {
    ORIGIN_BLOCKED: head('/submit', `${length}origin: https://evil.example\r\n`),
    BODY_TOO_LARGE: head('/submit', 'content-length: 100000000\r\n'),
    UNSUPPORTED_MEDIA_TYPE: head('/submit', length).replace('json', 'xml'),
    RATE_LIMITED: head('/submit', length)
  }
  for (const [code, bytes] of Object.entries(refusals)) {
    for (let n = 0; code === 'RATE_LIMITED' && n < 5; n += 1) await fetch(`http://127.0.0.1:${port}/uuid`)
    const socket = sending(port, bytes)
    t.teardown(() => socket.destroy())
    t.match(await firstBytes(socket), `"code":"${code}"`)
  }
})

test('an invalid pipelined request does not get its predecessor’s response', async t => {
  const devnet = await startNetwork(t)
  devnet.chain.pause()
  const { port } = await listen(t, { SERVICE_SUBMIT_TIMEOUT: '1000' }, { devnet })
  const body = submitBody('a-quote')
  const submission = `${head('/submit', `content-length: ${body.length}\r\n`)}${body}`

  // Sends the bytes and retries while the server is too busy.
  const answersTo = (bytes: string) =>
    until(async () => {
      const responses = await answersOf(sending(port, bytes))
      return responses.every(({ status }) => status !== 503) && responses
    }, 'the server is not too busy to respond')
  const responses = await answersTo(`${submission}\0 garbage\r\n\r\n`)
  t.same(responses, [], 'the connection closes without a response')
  const [retry] = await answersTo(submission.replace('\r\n', '\r\nconnection: close\r\n'))
  t.equal(retry?.status, 202, 'a retry joins the accepted submission')
})

test('a pipelining connection is limited to 100 requests and delays no other', async t => {
  const { app, port } = await listen(t)
  const requests: string[] = []
  app.server.on('request', ({ url = '' }: IncomingMessage) => requests.push(url))
  const ended = closed(sending(port, health.repeat(130_000)).resume())
  const { status, headers } = await fetch(`http://127.0.0.1:${port}/health?other`)
  t.equal(status, 200, 'a request on another connection')
  t.match(headers.get('keep-alive'), /^timeout=72\b/)
  await ended
  t.equal(requests.filter(url => url === '/health').length, 100)
})
