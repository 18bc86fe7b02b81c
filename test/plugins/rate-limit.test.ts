import { build } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('a rate-limited response has a Retry-After header with the length of the window', async t => {
  for (const [url, statusCode] of Object.entries({
    '/compliant/enabled': 200,
    '/nothing': 404,
    '/%zz': 400
  })) {
    const server = await build(t, { RATE_LIMIT_MAX: '1' })
    t.equal((await server.inject(url)).statusCode, statusCode)
    const refused = await server.inject(url)
    t.match(
      refused.json(),
      { code: 'RATE_LIMITED', message: 'Too many requests; try again in 60 seconds' },
      url
    )
    t.equal(refused.headers['retry-after'], '60')
  }
})
