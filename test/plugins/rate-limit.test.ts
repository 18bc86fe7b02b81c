import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('RATE_LIMIT_WINDOW is the time after which a client may come back', async t => {
  const server = await build(t, { RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW: '7200000' })
  t.equal((await server.inject('/compliant/enabled')).statusCode, 200)
  const refused = await server.inject('/compliant/enabled')
  t.match(refused.json(), { code: 'RATE_LIMITED', message: 'Too many requests, try again in 2 hours' })
  t.equal(refused.headers['retry-after'], '7200')
})
