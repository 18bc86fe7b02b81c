import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('a rate-limited response has a Retry-After header with the length of the window', async t => {
  const server = await build(t, { RATE_LIMIT_MAX: '1' })
  t.equal((await server.inject('/compliant/enabled')).statusCode, 200)
  const refused = await server.inject('/compliant/enabled')
  t.match(refused.json(), { code: 'RATE_LIMITED', message: 'Too many requests; try again in 60 seconds' })
  t.equal(refused.headers['retry-after'], '60')
})
