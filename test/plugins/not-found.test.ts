import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('returns 405 with the allowed methods if the route does not support the request’s method', async t => {
  const server = await build(t)
  for (const [method, url, allow] of [
    ['DELETE', '/health', 'HEAD, GET, OPTIONS'],
    ['POST', '/tx/1/status?x=/', 'HEAD, GET, OPTIONS'],
    ['GET', '/submit', 'POST, OPTIONS'],
    ['PATCH', '/submit/swap', 'POST, OPTIONS'],
    ['PUT', '/kyc', 'HEAD, GET, POST, OPTIONS']
  ] as const) {
    const response = await server.inject({ method, url })
    t.match(
      response.json(),
      { statusCode: 405, code: 'METHOD_NOT_ALLOWED', error: 'Method Not Allowed' },
      url
    )
    const allowed = String(response.headers['allow'])
    t.same(allowed.split(', ').sort(), allow.split(', ').sort())
  }
})

test('returns 404 for a URL without a route', async t => {
  const server = await build(t)
  for (const url of ['/nowhere', '/tx/1/status/more', '/submit/transfers']) {
    const response = await server.inject({ method: 'DELETE', url })
    t.match(response.json(), { statusCode: 404, code: 'ROUTE_NOT_FOUND' }, url)
  }
})
