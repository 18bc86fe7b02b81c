import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connectionTimes } from '../../../config/fastify-options.ts'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { patientFetch } from '../../helpers/patient-fetch.ts'
import { answersOf, closed, sending, trickle } from '../../helpers/raw-connection.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'

const HALF_OPEN = 2500
const head = 'POST /submit HTTP/1.1\r\nhost: service.example\r\ncontent-type: application/json\r\n'
const beginnings = [
  '',
  'POST /sub',
  head,
  `${head}content-length: 1000\r\n\r\n{`,
  `${head}content-length: 1000\r\norigin: https://evil.example\r\n\r\n{`
]

test('many half-open connections', async t => {
  const devnet = await startNetwork(t)
  const server = await startServer(t, { ...testEnv(t, devnet), METRICS_PORT: '0' })
  const port = Number(new URL(server.url).port)
  const [, metricsPort] = await server.saw(/"port":(\d+)\},"msg":"metrics are served"/)
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })

  /** Each address opens some; all addresses are of this machine. */
  async function open(count: number, address: string): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const socket = sending(port, beginnings[n % beginnings.length] ?? '', address)
      sockets.push(socket)
      if (n % 50 === 0) await once(socket, 'connect')
    }
  }

  const toService = sending(port, `${head}content-length: 1000\r\n\r\n{`)
  const answered = answersOf(toService)
  const toMetrics = sending(
    Number(metricsPort),
    'GET /metrics HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n'
  )
  const trickled = Promise.all([trickle(toService, 1000), trickle(toMetrics.resume(), 1000)])

  const ended: Promise<unknown>[] = []
  for (const last of [2, 3, 4, 5]) await open(HALF_OPEN / 4, `127.0.0.${last}`)
  for (const socket of sockets) ended.push(closed(socket.resume()))

  await t.test('leave the others their answers', async t => {
    for (let n = 0; n < 20; n += 1) {
      const response = await fetch(`${server.url}/health`)
      t.equal(await response.text(), 'ok')
    }
    const filled = await patientFetch(`${server.url}/chains`)
    t.equal(filled.status, 200)
  })

  await t.test(
    'are ended, at both ports and also those that send a byte now and then, with 408 where nothing was answered yet',
    async t => {
      const { requestTimeout, connectionsCheckingInterval } = connectionTimes
      t.ok(requestTimeout + connectionsCheckingInterval < 30_000, 'within 30 seconds')
      await Promise.all(ended)
      await trickled
      const answer = (await answered).at(-1)
      t.equal(answer?.status, 408)
      t.match(answer?.body, /"REQUEST_TIMEOUT"/)
    }
  )

  t.equal(await server.stop(), 0)
})
