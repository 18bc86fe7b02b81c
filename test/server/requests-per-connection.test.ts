import type { IncomingMessage } from 'node:http'
import { build } from '../helpers/app.ts'
import { answersOf, closed, sending } from '../helpers/raw-connection.ts'
import { test } from '../helpers/tap.ts'

const head = (path: string) => `GET ${path} HTTP/1.1\r\nhost: service.example\r\n`

test('a pipelining connection is limited to 100 requests and delays no other', async t => {
  const app = await build(t)
  const requests: string[] = []
  app.server.on('request', ({ url = '' }: IncomingMessage) => requests.push(url))
  const { origin, port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const flood = sending(Number(port), `${head('/health')}\r\n`.repeat(130_000)).resume()
  const ended = closed(flood)
  const [response] = await answersOf(
    sending(Number(port), `${head('/health?other')}connection: close\r\n\r\n`)
  )
  t.equal(response?.status, 200, 'a request on another connection')
  const { headers } = await fetch(`${origin}/health?kept`)
  t.match(headers.get('keep-alive'), /^timeout=72\b/)
  await ended
  t.equal(requests.filter(url => url === '/health').length, 100)
})
