import { once } from 'node:events'
import { createServer, get, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from '../helpers/app.ts'
import { type Test, test } from '../helpers/tap.ts'

const HOST = '127.0.0.1'

/** Starts a proxy that appends the client's address and port to X-Forwarded-For. */
async function startProxy(t: Test, target: number): Promise<number> {
  const proxy = createServer(({ method, url: path, headers, socket }, answer) => {
    const sent = headers['x-forwarded-for']
    const from = `${socket.remoteAddress}:${socket.remotePort}`
    const forwarded = sent === undefined ? from : `${sent}, ${from}`
    const options = { port: target, host: HOST, method, path }
    request({ ...options, headers: { ...headers, 'x-forwarded-for': forwarded } }, response => {
      answer.writeHead(response.statusCode ?? 0, response.headers)
      response.pipe(answer)
    }).end()
  })
  await once(proxy.listen(0, HOST), 'listening')
  t.teardown(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return (proxy.address() as AddressInfo).port
}

async function statusFor(port: number, client: string, headers: Record<string, string> = {}) {
  const options = { host: HOST, port, path: '/nowhere', localAddress: client, agent: false, headers }
  const [response]: IncomingMessage[] = await once(get(options), 'response')
  response?.resume()
  return response?.statusCode
}

test('with TRUST_PROXY=2 behind two proxies, rate limits and logs use the client’s address', async t => {
  const logged: string[] = []
  const app = await build(
    t,
    { TRUST_PROXY: '2', RATE_LIMIT_MAX: '2', LOG_LEVEL: 'info' },
    {
      logTo(line) {
        const { req } = JSON.parse(line)
        if (req !== undefined) logged.push(req.ip.replace(/:\d+$/, ''))
      }
    }
  )
  const server = new URL(await app.listen({ host: HOST, port: 0 }))
  const port = await startProxy(t, await startProxy(t, Number(server.port)))

  const forged = ['198.51.100.1', 'unknown', '[2001:db8::1]:1, 127.0.0.9', ',', '2001:DB8::2%eth0']
  t.equal(await statusFor(port, '127.0.0.5'), 404)
  t.equal(await statusFor(port, '127.0.0.5'), 404)
  for (const text of forged) {
    t.equal(await statusFor(port, '127.0.0.5', { 'x-forwarded-for': text }), 429, text)
  }
  t.equal(await statusFor(port, '127.0.0.6'), 404, 'another client')
  t.same(new Set(logged), new Set(['127.0.0.5', '127.0.0.6']))
})

test('different spellings of the same address share one rate limit', async t => {
  const app = await build(t, { TRUST_PROXY: 'loopback', RATE_LIMIT_MAX: '1' })
  const status = async (address: string) =>
    (await app.inject({ url: '/nowhere', headers: { 'x-forwarded-for': address } })).statusCode
  const groups: [first: string, ...others: string[]][] = [
    ['192.0.2.1', '192.0.2.1:1', '192.0.2.1:2', ' 192.0.2.1 ', '::ffff:192.0.2.1', '[::FFFF:c000:201]:3'],
    ['2001:db8::1', '2001:DB8:0::1', '[2001:db8::1]:443', '2001:db8::1%a', '2001:db8::2', '2001:db8:0:0:f::'],
    ['unknown', '', 'garbage', '192.0.2.300', '192.0.2.1:x', '"192.0.2.1"', 'a'.repeat(2000)]
  ]
  for (const [first, ...others] of groups) {
    t.equal(await status(first), 404, first)
    for (const other of others) t.equal(await status(other), 429, other)
  }
  t.equal(await status('2001:db8:0:1::1'), 404, 'another network')
})

test('TRUST_PROXY=false makes the server ignore addresses in headers', async t => {
  const app = await build(t, { RATE_LIMIT_MAX: '1' })
  const status = async (address: string) =>
    (await app.inject({ url: '/nowhere', headers: { 'x-forwarded-for': address } })).statusCode
  t.equal(await status('192.0.2.1'), 404)
  t.equal(await status('192.0.2.2'), 429)
})
