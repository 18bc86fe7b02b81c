import type { Socket } from 'node:net'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { closed, firstBytes, sending } from '../../helpers/raw-connection.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'

/** Maximum number of streams: half of 4096 connections, if there are enough file descriptors (interface 22.7). */
const MOST = 2048
const MOST_OF_ONE = 256

test('a server with thousands of event streams', async t => {
  const devnet = await startNetwork(t)
  const env = testEnv(t, devnet, { SERVICE_SUBMIT_TIMEOUT: '1', TRUST_PROXY: 'loopback' })
  const server = await startServer(t, env)
  await server.saw(/"msg":"engine ready"/)
  const port = Number(new URL(server.url).port)
  devnet.chain.pause()
  const submitted = await patientPost(`${server.url}/submit`, cardBody())
  const [, submissionId] = /"submissionId":"([^"]+)"/.exec(await submitted.text()) ?? []
  const requestOf = (address: string) =>
    `GET /submissions/${submissionId}/events HTTP/1.1\r\nhost: service.example\r\nx-forwarded-for: ${address}\r\n\r\n`
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })

  /** Opens a stream from an address. Retries while the server is too busy. @returns `stream` or the error code */
  async function ask(address: string): Promise<string> {
    const socket = sending(port, requestOf(address))
    const outcome = /"code":"(\w+)"/.exec(await firstBytes(socket))?.[1] ?? 'stream'
    if (outcome !== 'OVERLOADED') {
      sockets.push(socket)
      return outcome
    }
    socket.destroy()
    return ask(address)
  }

  /** Opens `count` streams. @returns the number of streams by outcome, which is `stream` or an error code */
  async function open(count: number, addressOf: (n: number) => string): Promise<Record<string, number>> {
    const outcomes: Record<string, number> = {}
    const opened: Promise<string>[] = []
    for (let n = 0; n < count; n += 1) {
      opened.push(ask(addressOf(n)))
      if (n % 50 === 0) await opened.at(-1)
    }
    for (const outcome of await Promise.all(opened)) outcomes[outcome] = 1 + (outcomes[outcome] ?? 0)
    return outcomes
  }

  await t.test('streams are limited per client and in total', async t => {
    // An IPv6 /64 network is one client.
    const outcomes = await open(MOST_OF_ONE + 20, n => `2001:db8:1:ab00::${n % 4}`)
    t.strictSame(outcomes, { stream: MOST_OF_ONE, STREAM_SHARE: 20 })
    const rest = MOST - MOST_OF_ONE
    const ofOthers = await open(rest + 30, n => `198.51.100.${1 + (n % 10)}`)
    t.strictSame(ofOthers, { stream: rest, STREAMS_BUSY: 30 })
    const status = async () => (await fetch(`${server.url}/submissions/${submissionId}`)).status
    await until(async () => (await status()) === 200, 'other requests are served')
  })

  await t.test('streams end when the server stops, even if clients do not read', async t => {
    for (const [n, socket] of sockets.entries()) if (n % 2 === 0) socket.pause()
    const ends = sockets.filter((_, n) => n % 2 === 1).map(socket => closed(socket.resume()))
    t.equal(await server.stop(), 0, 'exits normally, not by the shutdown timeout')
    await Promise.all(ends)
  })
})
