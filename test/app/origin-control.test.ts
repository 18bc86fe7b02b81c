import { test } from 'tap'
import { build, startNetwork } from '../helper.ts'

test('origin control', async t => {
  const devnet = await startNetwork(t)
  const DOMAIN = 'shop.example,http://localhost:3000,https://Pay.Example:8443/'
  const app = await build(t, { DOMAIN }, { devnet })
  const get = (origin: string) => app.inject({ url: '/health', headers: { origin } })

  t.test('a listed origin is served, with the headers that its browser needs', async t => {
    for (const origin of [
      'https://shop.example',
      'https://shop.example:8443',
      'http://localhost:3000',
      'https://pay.example:8443'
    ]) {
      const response = await get(origin)
      t.equal(response.statusCode, 200, origin)
      t.match(response.headers, {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'x-request-id, retry-after',
        vary: 'Origin'
      })
    }
  })

  t.test('any other origin is refused before a handler runs', async t => {
    for (const origin of [
      'http://shop.example',
      'https://shop.example.evil.example',
      'https://evil-shop.example',
      'http://localhost:3001',
      'http://localhost',
      'https://pay.example',
      'https://shop.example/path',
      'null',
      ''
    ]) {
      const response = await get(origin)
      t.equal(response.statusCode, 403, origin)
      t.match(response.json(), { statusCode: 403, code: 'ORIGIN_BLOCKED', error: 'Forbidden' })
      t.notOk(response.headers['access-control-allow-origin'])
    }
    const post = await app.inject({
      method: 'POST',
      url: '/submit',
      payload: {},
      headers: { origin: 'https://evil.example' }
    })
    t.equal(post.statusCode, 403)
  })

  t.test('preflights follow the same rule', async t => {
    const preflight = (origin: string) =>
      app.inject({
        method: 'OPTIONS',
        url: '/submit',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,idempotency-key'
        }
      })
    const listed = await preflight('https://shop.example')
    t.equal(listed.statusCode, 204)
    t.match(listed.headers, {
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': 'content-type,idempotency-key'
    })
    const other = await preflight('https://evil.example')
    t.equal(other.statusCode, 403)
    t.match(other.json(), { code: 'ORIGIN_BLOCKED' })
  })

  t.test('a request without an origin is no browser’s and passes', async t => {
    t.equal((await app.inject('/health')).statusCode, 200)
    t.equal((await app.inject({ method: 'OPTIONS', url: '/submit' })).statusCode, 204)
  })

  t.test('development serves every origin', async t => {
    const app = await build(t, { NODE_ENV: 'development' }, { devnet })
    const response = await app.inject({ url: '/health', headers: { origin: 'https://evil.example' } })
    t.equal(response.statusCode, 200)
    t.equal(response.headers['access-control-allow-origin'], 'https://evil.example')
  })

  t.test('`*` lists every origin', async t => {
    const app = await build(t, { DOMAIN: '*' }, { devnet })
    const response = await app.inject({ url: '/health', headers: { origin: 'https://any.example' } })
    t.equal(response.headers['access-control-allow-origin'], 'https://any.example')
  })
})
