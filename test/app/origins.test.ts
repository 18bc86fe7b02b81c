import type { InjectOptions } from 'fastify'
import { type BuildOptions, build, MAINNET, startNetwork, type Variables } from '../helpers/app.ts'
import { t as root, test } from '../helpers/tap.ts'

const LISTED = { origin: 'https://shop.example' }
const OTHER = { origin: 'https://evil.example' }
const PREFLIGHT = { 'access-control-request-method': 'POST' }
const devnet = await startNetwork(root)

/** Builds a server where each client may send one request a minute. */
async function limited(variables: Variables, options: BuildOptions = {}) {
  const app = await build(root, { RATE_LIMIT_MAX: '1', ...variables }, { devnet, ...options })
  async function send(address: string, ...requests: InjectOptions[]) {
    const found = []
    for (const { headers, ...request } of requests) {
      const from = { 'x-forwarded-for': address, ...headers }
      found.push(await app.inject({ url: '/uuid', ...request, headers: from }))
    }
    return found
  }
  const statuses = async (address: string, ...requests: InjectOptions[]) =>
    (await send(address, ...requests)).map(({ statusCode }) => statusCode)
  return { send, statuses }
}

const { send, statuses } = await limited({ TRUST_PROXY: 'loopback' })

test('serves each origin in DOMAIN, or in development every one except on mainnet', async t => {
  const [DOMAIN, other] = ['http://localhost:3000', 'https://evil.example']
  const development = { NODE_ENV: 'development' }
  for (const [variables, origin, isServed] of [
    [{}, DOMAIN, true],
    [development, other, true],
    [development, 'null', true],
    [{ ...MAINNET, ...development }, other, false]
  ] as const) {
    const app = await build(t, { DOMAIN, ...variables }, { devnet })
    const response = await app.inject({ url: '/health', headers: { origin } })
    t.equal(response.statusCode, isServed ? 200 : 403, origin)
    t.equal(response.headers['access-control-allow-origin'], isServed ? origin : undefined)
  }
})

const IMAGE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
const UNLISTED = { headers: OTHER }
const SHOP = { headers: { ...LISTED, 'sec-fetch-site': 'cross-site' } }
const twice = (request: InjectOptions) => [request, request]
const preflight = (origin: object) => twice({ method: 'OPTIONS', headers: { ...origin, ...PREFLIGHT } })

const LIMITS: [name: string, requests: InjectOptions[], statuses: number[]][] = [
  ['an unlisted origin has its own limit', [...twice(UNLISTED), ...twice({})], [403, 429, 200, 429]],
  ['cross-site images have their own limit', [...twice({ headers: IMAGE }), SHOP, {}], [200, 429, 200, 429]],
  ['a preflight from another origin', preflight(OTHER), [403, 429]],
  ['a method that the route does not have', twice({ method: 'DELETE' }), [404, 429]],
  ['a URL without a route', twice({ url: '/nowhere' }), [404, 429]],
  ['a URL that the router cannot decode', twice({ url: '/%zz' }), [400, 429]],
  ['preflights from listed origins are free', [...preflight(LISTED), {}], [204, 204, 200]],
  ['probes have their own limit', [...twice({}), ...twice({ url: '/metrics' })], [200, 429, 200, 429]]
]

test('limits the rate of each client’s requests', async t => {
  for (const [index, [name, requests, expected]] of LIMITS.entries())
    t.strictSame(await statuses(`192.0.2.${100 + index}`, ...requests), expected, name)
})

test('only pages from a listed origin can read a 429', async t => {
  for (const [index, url] of ['/nowhere', '/submit/fees', '/ready'].entries()) {
    const requests = [{}, OTHER, LISTED, OTHER].map(headers => ({ url, headers }))
    const [, , listed, other] = await send(`192.0.2.${200 + index}`, ...requests)
    t.match(listed?.json(), { statusCode: 429, code: 'RATE_LIMITED' }, url)
    t.match(listed?.headers, {
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'x-request-id, retry-after, age',
      vary: 'Origin'
    })
    t.match(other, { statusCode: 429, headers: { vary: 'Origin' } }, url)
    t.notMatch(Object.keys(other?.headers ?? {}).join(), 'access-control-', url)
  }
})

test('with TRUST_PROXY=2 behind two proxies, limits and logs use the client’s address', async t => {
  const logged = new Set<string>()
  const logTo = (line: string) => {
    const { req } = JSON.parse(line)
    if (req !== undefined) logged.add(req.ip.replace(/:\d+$/, ''))
  }
  const { statuses } = await limited({ TRUST_PROXY: '2', LOG_LEVEL: 'info' }, { logTo })
  const forged = ['198.51.100.1', 'unknown', '[2001:db8::1]:1, 127.0.0.9', ',', '2001:DB8::2%eth0']
  const proxies = (client: string) => `${client}:4711, 127.0.0.1:4712`
  t.strictSame(await statuses(proxies('127.0.0.5'), {}), [200])
  for (const text of forged) t.strictSame(await statuses(proxies(`${text}, 127.0.0.5`), {}), [429], text)
  t.strictSame(await statuses(proxies('127.0.0.6'), {}), [200], 'another client')
  t.same(logged, new Set(['127.0.0.5', '127.0.0.6']))
})

test('different spellings of an address share one limit', async t => {
  const groups: [first: string, ...others: string[]][] = [
    ['192.0.2.1', '192.0.2.1:1', '192.0.2.1:2', ' 192.0.2.1 ', '::ffff:192.0.2.1', '[::FFFF:c000:201]:3'],
    ['2001:db8::1', '2001:DB8:0::1', '[2001:db8::1]:443', '2001:db8::1%a', '2001:db8::2', '2001:db8:0:0:f::'],
    ['unknown', '', 'garbage', '192.0.2.300', '192.0.2.1:x', '"192.0.2.1"', 'a'.repeat(2000)],
    ['2001:db8:0:1::1']
  ]
  for (const [first, ...others] of groups) {
    t.strictSame(await statuses(first, {}), [200], first)
    for (const other of others) t.strictSame(await statuses(other, {}), [429], other)
  }
  const direct = await limited({})
  t.strictSame(await direct.statuses('192.0.2.1', {}), [200])
  t.strictSame(await direct.statuses('192.0.2.2', {}), [429], 'no proxy is trusted')
})
