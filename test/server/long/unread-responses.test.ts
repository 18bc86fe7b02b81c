import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import transactionBackEnd, { fastifyOptions, loadConfig } from '../../../index.ts'
import { build, startNetwork, testEnv, untilReady } from '../../helpers/app.ts'
import { closed, sending } from '../../helpers/raw-connection.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'

/**
 * A slow client reads 64 KiB in this time. With the buffers of the loopback interface, the server sees nothing of it until
 * some hundred KiB have been read.
 */
const PAUSE_MS = 1000

/** More than fits into the buffers of both ends, which the service cannot see. */
const LONG = 'x'.repeat(16_000_000)

/** Starts a server, its server of metrics, and a program that embeds the service. @returns their ports */
async function start(t: Test) {
  const devnet = await startNetwork(t)
  let metrics = 0
  const logTo = (line: string) => {
    const { msg, address } = JSON.parse(line)
    if (msg === 'metrics server listening') metrics = address.port
  }
  const variables = { NODE_ENV: 'development', SERVICE_SUBMIT_TIMEOUT: '60000' }
  const app = await build(t, { ...variables, METRICS_PORT: '0', LOG_LEVEL: 'info' }, { devnet, logTo })
  const configuration = loadConfig(testEnv(t, devnet, { ...variables, LOG_LEVEL: 'silent' }))
  const host = Fastify(fastifyOptions(configuration))
  t.teardown(() => host.close())
  host.get('/long', async () => LONG)
  host.register(transactionBackEnd, { configuration, prefix: '/payments' })
  const portOf = (url: string) => Number(new URL(url).port)
  const local = { host: '127.0.0.1', port: 0 }
  await untilReady(app)
  devnet.chain.pause()
  return { own: portOf(await app.listen(local)), metrics, embedded: portOf(await host.listen(local)) }
}

const get = (url: string, count: number) => {
  const head = `GET ${url} HTTP/1.1\r\nhost: service.example\r\n`
  return { request: `${`${head}\r\n`.repeat(count - 1)}${head}connection: close\r\n\r\n`, count }
}

const body = submitBody('a-quote')
const submission = {
  request:
    'POST /submit HTTP/1.1\r\nhost: service.example\r\nconnection: close\r\ncontent-type: application/json\r\n' +
    `content-length: ${body.length}\r\n\r\n${body}`,
  count: 1
}

/**
 * Sends requests, reads nothing or little for some seconds, and then the rest. Retries while the server is too busy.
 * @returns the statuses of the responses until the server closed the connection
 */
async function answered(port: number, request: string, seconds: number, isSlow: boolean): Promise<string[]> {
  const socket = sending(port, request).pause()
  const chunks: Buffer[] = []
  let isPaused = true
  socket.on('data', chunk => {
    chunks.push(chunk)
    if (isPaused) socket.pause()
  })
  const reading = setInterval(() => isSlow && socket.resume(), PAUSE_MS)
  await sleep(seconds * 1000)
  clearInterval(reading)
  isPaused = false
  socket.resume()
  await closed(socket)
  const lines = Buffer.concat(chunks)
    .toString('latin1')
    .matchAll(/HTTP\/1\.1 (\d{3}) /g)
  const statuses = Array.from(lines, ([, status = '']) => status)
  return statuses.includes('503') ? answered(port, request, seconds, isSlow) : statuses
}

test('closes a connection that leaves responses unread, but not one that waits for one', async t => {
  const { own, metrics, embedded } = await start(t)
  type Sent = typeof submission
  const rows: [what: string, port: number, sent: Sent, seconds: number, isSlow: boolean, isCut: boolean][] = [
    ['unread for less than 30 s', own, get('/docs/json', 60), 20, false, false],
    ['unread for 30 s', own, get('/docs/json', 60), 75, false, true],
    ['read slowly for less than 2 min', own, get('/docs/json', 100), 60, true, false],
    ['read slowly for 2 min', own, get('/docs/json', 100), 170, true, true],
    ['metrics unread for 30 s', metrics, get('/metrics', 2000), 75, false, true],
    ['an embedded service’s, for 30 s', embedded, get('/payments/docs/json', 60), 75, false, true],
    ['a host program’s response unread for 30 s', embedded, get('/long', 1), 40, false, false],
    ['a submission that waits for its block', own, submission, 40, false, false]
  ]
  await Promise.all(
    rows.map(async ([what, port, { request, count }, seconds, isSlow, isCut]) => {
      const statuses = await answered(port, request, seconds, isSlow)
      const responses = statuses.filter(status => status.startsWith('20')).length
      t.equal(responses < count, isCut, `${what}: ${responses} of ${count}: ${[...new Set(statuses)]}`)
    })
  )
})
