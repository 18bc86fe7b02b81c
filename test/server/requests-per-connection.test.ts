import { Agent, get, type IncomingMessage } from 'node:http'
import { build } from '../helpers/app.ts'
import { answersOf, closed, sending } from '../helpers/raw-connection.ts'
import { type Test, test } from '../helpers/tap.ts'

const head = (path: string) => `GET ${path} HTTP/1.1\r\nhost: service.example\r\n`

/** Starts a server. @returns its port, and the URLs of its requests and the number of its connections so far */
async function listen(t: Test) {
  const app = await build(t)
  const seen = { port: 0, requests: [] as string[], connections: 0 }
  app.server.on('request', ({ url = '' }: IncomingMessage) => seen.requests.push(url))
  app.server.on('connection', () => {
    seen.connections += 1
  })
  seen.port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  return seen
}

test('a pipelining connection is limited to 100 requests and delays no other', async t => {
  const seen = await listen(t)
  const flood = sending(seen.port, `${head('/health')}\r\n`.repeat(130_000)).resume()
  const ended = closed(flood)
  const [response] = await answersOf(sending(seen.port, `${head('/health?other')}connection: close\r\n\r\n`))
  t.equal(response?.status, 200, 'a request on another connection')
  await ended
  t.equal(seen.requests.filter(url => url === '/health').length, 100)
})

test('a keep-alive client opens a new connection after 100 requests', async t => {
  const seen = await listen(t)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  for (let count = 1; count <= 101; count += 1) {
    await new Promise((resolve, reject) => {
      get({ agent, port: seen.port, path: '/health' }, response => {
        if (count === 1) t.match(response.headers['keep-alive'], /^timeout=72\b/)
        response.resume().once('end', resolve)
      }).once('error', reject)
    })
  }
  t.equal(seen.requests.length, 101)
  t.equal(seen.connections, 2)
})
