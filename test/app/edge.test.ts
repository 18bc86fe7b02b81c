import { build, startNetwork } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('at the HTTP edge', async t => {
  const devnet = await startNetwork(t)

  t.test('GET /health answers the text ok', async t => {
    const app = await build(t, {}, { devnet })
    const response = await app.inject('/health')
    t.equal(response.statusCode, 200)
    t.equal(response.body, 'ok')
    t.match(response.headers['content-type'], /^text\/plain/)
    const head = await app.inject({ method: 'HEAD', url: '/health' })
    t.equal(head.statusCode, 200)
    t.equal(head.body, '')
  })

  t.test('a valid request id of the client is kept, any other is replaced', async t => {
    const app = await build(t, {}, { devnet })
    const idFor = async (sent: string) => {
      const response = await app.inject({ url: '/nowhere', headers: { 'x-request-id': sent } })
      t.equal(response.headers['x-request-id'], response.json().requestId)
      return response.headers['x-request-id']
    }
    for (const id of ['0af7651916cd43dd-8448:eb21.1', 'A9_.:=+-', 'x'.repeat(128)])
      t.equal(await idFor(id), id)
    for (const odd of ['', 'two words', '{"a":1}', 'x'.repeat(129)]) {
      t.match(await idFor(odd), /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    }
  })

  t.test('the rate limit counts per address and leaves /health out', async t => {
    const app = await build(t, { RATE_LIMIT_MAX: '2', TRUST_PROXY: 'loopback' }, { devnet })
    const get = (url: string, address: string) =>
      app.inject({ url, headers: { 'x-forwarded-for': address, origin: 'https://shop.example' } })
    for (const n of [1, 2]) t.equal((await get('/nowhere', '192.0.2.1')).statusCode, 404, `request ${n}`)
    const refused = await get('/nowhere', '192.0.2.1')
    t.equal(refused.statusCode, 429)
    t.match(refused.json(), { statusCode: 429, code: 'RATE_LIMITED', error: 'Too Many Requests' })
    t.match(refused.headers, {
      'retry-after': /^\d+$/,
      'x-request-id': String,
      'access-control-allow-origin': 'https://shop.example'
    })
    t.equal((await get('/submissions/x', '192.0.2.2')).statusCode, 404, 'another address')
    t.equal((await get('/health', '192.0.2.1')).statusCode, 200)
  })
})
