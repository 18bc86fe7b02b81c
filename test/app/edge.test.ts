import { createKey } from '../../services/callers/key-file.ts'
import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('at the HTTP edge', async t => {
  const app = await build(t)

  t.test('GET /health returns ok', async t => {
    const response = await app.inject('/health')
    t.equal(response.statusCode, 200)
    t.equal(response.body, 'ok')
    t.match(response.headers['content-type'], /^text\/plain/)
    const head = await app.inject({ method: 'HEAD', url: '/health' })
    t.equal(head.statusCode, 200)
    t.equal(head.body, '')
  })

  t.test('keeps a valid request id from the client and replaces an invalid one', async t => {
    const idFor = async (sent: string) => {
      const response = await app.inject({ url: '/nowhere', headers: { 'x-request-id': sent } })
      t.equal(response.headers['x-request-id'], response.json().requestId)
      return response.headers['x-request-id']
    }
    for (const id of ['0af7651916cd43dd-8448:eb21.1', 'A9_.:=+-', 'x'.repeat(128)])
      t.equal(await idFor(id), id)
    for (const odd of ['', 'two words', '{"a":1}', 'x'.repeat(129), createKey()]) {
      t.match(await idFor(odd), /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    }
  })

  t.test('every response has security headers, and a widget on another origin can still read it', async t => {
    for (const url of ['/health', '/nowhere']) {
      const { headers } = await app.inject(url)
      t.equal(headers['x-content-type-options'], 'nosniff')
      t.equal(headers['cross-origin-resource-policy'], 'cross-origin')
      t.match(headers['content-security-policy'], /default-src 'self'/)
      t.notOk(headers['strict-transport-security'], 'the host may have other services')
      t.notMatch(headers['content-security-policy'], /upgrade-insecure-requests/, 'plain HTTP in development')
    }
  })

  t.test(
    'returns 405 with the allowed methods if the route does not support the request’s method',
    async t => {
      for (const [method, url, allow] of [
        ['DELETE', '/health', 'HEAD, GET, OPTIONS'],
        ['POST', '/tx/1/status?x=/', 'HEAD, GET, OPTIONS'],
        ['GET', '/submit', 'POST, OPTIONS'],
        ['PATCH', '/submit/swap', 'POST, OPTIONS'],
        ['PUT', '/kyc', 'HEAD, GET, POST, OPTIONS']
      ] as const) {
        const response = await app.inject({ method, url })
        const error = { statusCode: 405, code: 'METHOD_NOT_ALLOWED', error: 'Method Not Allowed' }
        t.match(response.json(), error, url)
        t.same(String(response.headers['allow']).split(', ').sort(), allow.split(', ').sort())
      }
    }
  )

  t.test('returns 404 for a URL without a route', async t => {
    for (const url of ['/nowhere', '/tx/1/status/more', '/submit/transfers']) {
      const response = await app.inject({ method: 'DELETE', url })
      t.match(response.json(), { statusCode: 404, code: 'ROUTE_NOT_FOUND' }, url)
    }
  })
})
