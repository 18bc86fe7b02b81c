import { build, MAINNET, startNetwork } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

/** Returns the method and path of each documented route. Paths keep their placeholders: preflights ignore them. */
function routes({ paths = {} }: { paths?: Record<string, object | undefined> }): [string, string][] {
  return Object.entries(paths).flatMap(([url, methods = {}]) =>
    Object.keys(methods).map((method): [string, string] => [method.toUpperCase(), url])
  )
}

test('origin control', async t => {
  const devnet = await startNetwork(t)
  const DOMAIN = 'shop.example,http://localhost:3000,capacitor://localhost,Ionic://localhost'
  const app = await build(t, { DOMAIN }, { devnet })
  const get = (origin: string) => app.inject({ url: '/health', headers: { origin } })

  t.test('serves listed origins with CORS headers', async t => {
    for (const origin of [
      'https://shop.example',
      'http://localhost:3000',
      'capacitor://localhost',
      'ionic://localhost'
    ]) {
      const response = await get(origin)
      t.equal(response.statusCode, 200, origin)
      t.match(response.headers, {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'x-request-id, retry-after, age',
        vary: /\bOrigin\b/
      })
    }
  })

  t.test('rejects every unlisted origin before a handler runs', async t => {
    for (const origin of [
      'http://shop.example',
      'https://evil-shop.example',
      'http://localhost:3001',
      'capacitor://evil.example',
      'null',
      ''
    ]) {
      const response = await get(origin)
      t.equal(response.statusCode, 403, origin)
      t.match(response.json(), { statusCode: 403, code: 'ORIGIN_BLOCKED', error: 'Forbidden' })
      t.match(response.headers, { vary: 'Origin', 'x-request-id': /./ })
      for (const header of Object.keys(response.headers)) t.notMatch(header, /^access-control-/)
    }
    const post = await app.inject({
      method: 'POST',
      url: '/submit',
      payload: {},
      headers: { origin: 'https://evil.example' }
    })
    t.equal(post.statusCode, 403)
  })

  t.test('responds to preflights for every route and method', async t => {
    const preflight = (url: string, method: string, origin: string) =>
      app.inject({
        method: 'OPTIONS',
        url,
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type,idempotency-key,x-request-id'
        }
      })
    for (const [method, url] of routes(app.swagger())) {
      const listed = await preflight(url, method, 'https://shop.example')
      t.equal(listed.statusCode, 204, `${method} ${url}`)
      t.match(listed.headers, {
        'access-control-allow-origin': 'https://shop.example',
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': new RegExp(`\\b${method}\\b`),
        'access-control-allow-headers': 'content-type,idempotency-key,x-request-id',
        'access-control-max-age': '7200',
        vary: /\bOrigin\b/
      })
      const other = await preflight(url, method, 'https://evil.example')
      t.match(other.json(), { statusCode: 403, code: 'ORIGIN_BLOCKED' })
    }
  })

  t.test('rate-limits unlisted origins separately from the client’s other requests', async t => {
    const app = await build(t, { RATE_LIMIT_MAX: '2' }, { devnet })
    const statusOf = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/compliant/enabled', headers })).statusCode
    const other = { origin: 'https://evil.example' }
    t.strictSame([await statusOf(other), await statusOf(other), await statusOf(other)], [403, 403, 429])
    t.strictSame([await statusOf({}), await statusOf({}), await statusOf({})], [200, 200, 429])
  })

  t.test('has a separate rate limit for cross-site images, frames and links without an Origin', async t => {
    const app = await build(t, { RATE_LIMIT_MAX: '2', DOMAIN }, { devnet })
    const statusOf = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/uuid', headers })).statusCode
    const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
    t.strictSame([await statusOf(image), await statusOf(image), await statusOf(image)], [200, 200, 429])
    const shop = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }
    t.strictSame([await statusOf(shop), await statusOf({}), await statusOf(shop)], [200, 200, 429])
  })

  t.test('serves every origin in development, including preflights', async t => {
    const app = await build(t, { NODE_ENV: 'development' }, { devnet })
    for (const origin of ['https://evil.example', 'http://localhost:5173', 'null']) {
      const response = await app.inject({ url: '/health', headers: { origin } })
      t.equal(response.statusCode, 200)
      t.match(response.headers, {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true'
      })
      const preflight = await app.inject({
        method: 'OPTIONS',
        url: '/submit',
        headers: { origin, 'access-control-request-method': 'POST' }
      })
      t.equal(preflight.statusCode, 204)
      t.equal(preflight.headers['access-control-allow-origin'], origin)
    }
  })

  t.test('rejects unlisted origins in development on mainnet', async t => {
    const app = await build(t, { ...MAINNET, NODE_ENV: 'development', DOMAIN }, { devnet })
    const headers = { origin: 'https://evil.example' }
    t.equal((await app.inject({ url: '/health', headers })).statusCode, 403)
  })
})
