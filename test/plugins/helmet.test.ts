import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('every response has security headers, and a widget on another origin can still read it', async t => {
  const server = await build(t)
  for (const url of ['/health', '/nowhere']) {
    const { headers } = await server.inject(url)
    t.equal(headers['x-content-type-options'], 'nosniff')
    t.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    t.match(headers['content-security-policy'], /default-src 'self'/)
    t.notOk(headers['strict-transport-security'], 'the host may have other services')
    t.notMatch(headers['content-security-policy'], /upgrade-insecure-requests/, 'plain HTTP in development')
  }
})
