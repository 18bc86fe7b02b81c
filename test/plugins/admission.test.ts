import type { InjectOptions } from 'fastify'
import { build, startNetwork } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

const LISTED = { origin: 'https://shop.example' }
const OTHER = { origin: 'https://evil.example' }
const PREFLIGHT = { 'access-control-request-method': 'POST' }

const isCors = (header: string) => header.startsWith('access-control-')

test('rate limit and origin control', async t => {
  const devnet = await startNetwork(t)

  const REQUESTS: [what: string, request: InjectOptions, within: number][] = [
    [
      'a preflight from another origin',
      { method: 'OPTIONS', url: '/kyc', headers: { ...OTHER, ...PREFLIGHT } },
      403
    ],
    ['a method that the route does not have', { method: 'DELETE', url: '/health' }, 404]
  ]
  const limited = await build(t, { RATE_LIMIT_MAX: '2', TRUST_PROXY: 'loopback' }, { devnet })
  for (const [index, [what, request, within]] of REQUESTS.entries()) {
    t.test(`${what} is rate-limited`, async t => {
      const headers = { ...request.headers, 'x-forwarded-for': `192.0.2.${index}` }
      const ask = () => limited.inject({ ...request, headers })
      for (const _ of [1, 2]) t.equal((await ask()).statusCode, within)
      const refused = await ask()
      t.equal(refused.statusCode, 429)
      t.match(refused.json(), { code: 'RATE_LIMITED' })
      t.match(refused.headers, { 'retry-after': /^\d+$/, 'cache-control': 'no-store', 'x-request-id': /./ })
    })
  }

  t.test('only pages from a listed origin can read a 429', async t => {
    const app = await build(t, { RATE_LIMIT_MAX: '1' }, { devnet })
    for (const url of ['/nowhere', '/submit/fees', '/ready']) {
      for (const headers of [{}, OTHER]) await app.inject({ url, headers })
      const listed = await app.inject({ url, headers: LISTED })
      t.equal(listed.statusCode, 429, url)
      t.match(listed.headers, {
        'access-control-allow-origin': 'https://shop.example',
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': /retry-after/,
        vary: 'Origin'
      })
      const other = await app.inject({ url, headers: OTHER })
      t.equal(other.statusCode, 429, url)
      t.notOk(Object.keys(other.headers).some(isCors), url)
      t.equal(other.headers.vary, 'Origin')
    }
  })

  t.test('preflights from listed origins do not count towards the limit', async t => {
    const app = await build(t, { RATE_LIMIT_MAX: '1' }, { devnet })
    const headers = { ...LISTED, ...PREFLIGHT }
    for (const url of ['/submit', '/submit', '/nowhere']) {
      t.equal((await app.inject({ method: 'OPTIONS', url, headers })).statusCode, 204)
    }
    t.equal((await app.inject('/nowhere')).statusCode, 404)
  })

  t.test('requests from an address do not use up the limit for probes from the same address', async t => {
    const app = await build(t, { RATE_LIMIT_MAX: '2' }, { devnet })
    for (const _ of [1, 2, 3]) await app.inject('/nowhere')
    t.equal((await app.inject('/nowhere')).statusCode, 429)
    t.not((await app.inject('/ready')).statusCode, 429)
  })
})
