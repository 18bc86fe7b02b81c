import { createKey } from '../../services/callers/key-file.ts'
import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'
import { documentOf, operationsOf } from '../openapi/document.ts'

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

  t.test('a trailing slash makes no difference', async t => {
    for (const { method, path, operationId } of operationsOf(documentOf(app))) {
      const url = path.replace(/\{\w+\}/g, 'x')
      const { statusCode } = await app.inject({ method, url })
      const response = await app.inject({ method, url: `${url}/` })
      t.equal(response.statusCode, statusCode, operationId)
      t.notMatch(response.body, 'ROUTE_NOT_FOUND', operationId)
    }
  })

  t.test('returns 404 for a URL without a route, and for a method that the route does not have', async t => {
    for (const [method, url] of [
      ['GET', '/nowhere'],
      ['DELETE', '/tx/1/status/more'],
      ['POST', '/submit/transfers'],
      ['DELETE', '/health'],
      ['GET', '/submit']
    ] as const) {
      const response = await app.inject({ method, url })
      t.match(response.json(), { statusCode: 404, code: 'ROUTE_NOT_FOUND' }, url)
    }
  })
})
