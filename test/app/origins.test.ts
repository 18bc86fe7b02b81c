import type { InjectOptions } from 'fastify'
import { type BuildOptions, build, MAINNET, startNetwork, type Variables } from '../helpers/app.ts'
import { t as root, test } from '../helpers/tap.ts'

const DOMAIN = 'shop.example,http://localhost:3000,Ionic://localhost'
const LISTED = { origin: 'https://shop.example' }
const OTHER = { origin: 'https://evil.example' }
const PREFLIGHT = { 'access-control-request-method': 'POST' }
const devnet = await startNetwork(root)

/** Starts a server. @returns a function that sends requests one after another, and returns their statuses */
async function limited(variables: Variables, options: BuildOptions = {}) {
  const app = await build(root, { DOMAIN, RATE_LIMIT_MAX: '2', ...variables }, { devnet, ...options })
  return async (...requests: InjectOptions[]) => {
    const found: number[] = []
    for (const request of requests) found.push((await app.inject({ url: '/uuid', ...request })).statusCode)
    return found
  }
}

test('serves listed origins with CORS headers, and no others', async t => {
  const app = await build(t, { DOMAIN }, { devnet })
  const get = (origin: string) => app.inject({ url: '/health', headers: { origin } })
  for (const origin of ['https://shop.example', 'http://localhost:3000', 'ionic://localhost']) {
    const { statusCode, headers } = await get(origin)
    t.equal(statusCode, 200, origin)
    t.match(headers, {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'x-request-id, retry-after, age',
      vary: /\bOrigin\b/
    })
  }
  for (const origin of ['https://evil-shop.example', 'http://localhost:3001', 'null', ''])
    t.match((await get(origin)).json(), { code: 'ORIGIN_BLOCKED' }, origin)
})

test('serves every origin in development, including preflights, but not on mainnet', async t => {
  const app = await build(t, { NODE_ENV: 'development' }, { devnet })
  for (const origin of ['https://evil.example', 'http://localhost:5173', 'null']) {
    const response = await app.inject({ url: '/health', headers: { origin } })
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/submit',
      headers: { origin, ...PREFLIGHT }
    })
    t.strictSame([response.statusCode, preflight.statusCode], [200, 204])
    for (const { headers } of [response, preflight])
      t.match(headers, { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' })
  }
  const mainnet = await build(t, { ...MAINNET, NODE_ENV: 'development', DOMAIN }, { devnet })
  t.equal((await mainnet.inject({ url: '/health', headers: OTHER })).statusCode, 403)
})

const IMAGE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
const SHOP = { headers: { ...LISTED, 'sec-fetch-site': 'cross-site' } }
const times = (count: number, request: InjectOptions) => Array(count).fill(request)

/** Requests of one client with a rate limit of two, and their statuses. */
const LIMITS: [name: string, requests: InjectOptions[], statuses: number[]][] = [
  [
    'an unlisted origin has its own limit',
    [...times(3, { headers: OTHER }), ...times(3, {})],
    [403, 403, 429, 200, 200, 429]
  ],
  [
    'cross-site images have their own limit',
    [...times(3, { headers: IMAGE }), SHOP, {}, SHOP],
    [200, 200, 429, 200, 200, 429]
  ],
  [
    'a preflight from another origin',
    times(3, { method: 'OPTIONS', headers: { ...OTHER, ...PREFLIGHT } }),
    [403, 403, 429]
  ],
  ['a method that the route does not have', times(3, { method: 'DELETE' }), [404, 404, 429]],
  ['a URL without a route', times(3, { url: '/nowhere' }), [404, 404, 429]],
  ['a URL that the router cannot decode', times(3, { url: '/%zz' }), [400, 400, 429]],
  [
    'preflights from listed origins are free',
    [...times(3, { method: 'OPTIONS', headers: { ...LISTED, ...PREFLIGHT } }), {}],
    [204, 204, 204, 200]
  ],
  ['probes have their own limit', [...times(3, {}), { url: '/health' }], [200, 200, 429, 200]]
]

test('limits the rate of each client’s requests', async t => {
  for (const [name, requests, statuses] of LIMITS)
    t.strictSame(await (await limited({}))(...requests), statuses, name)
  const app = await build(t, { RATE_LIMIT_MAX: '2' }, { devnet })
  for (const _ of [1, 2, 3]) await app.inject('/nowhere')
  t.not((await app.inject('/ready')).statusCode, 429)
})

test('only pages from a listed origin can read a 429', async t => {
  const app = await build(t, { RATE_LIMIT_MAX: '1' }, { devnet })
  for (const url of ['/nowhere', '/submit/fees', '/ready']) {
    for (const headers of [{}, OTHER]) await app.inject({ url, headers })
    const listed = await app.inject({ url, headers: LISTED })
    t.match(listed.json(), { statusCode: 429, code: 'RATE_LIMITED' }, url)
    t.match(listed.headers, {
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': /retry-after/,
      vary: 'Origin'
    })
    const other = await app.inject({ url, headers: OTHER })
    t.strictSame([other.statusCode, other.headers.vary], [429, 'Origin'], url)
    t.notOk(
      Object.keys(other.headers).some(header => header.startsWith('access-control-')),
      url
    )
  }
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('with TRUST_PROXY=2 behind two proxies, limits and logs use the client’s address', async t => {
  const logged = new Set<string>()
  const logTo = (line: string) => {
    const { req } = JSON.parse(line)
    if (req !== undefined) logged.add(req.ip.replace(/:\d+$/, ''))
  }
  const statuses = await limited({ TRUST_PROXY: '2', LOG_LEVEL: 'info' }, { logTo })
  const proxies = (client: string) => from(`${client}:4711, 127.0.0.1:4712`)
  const forged = ['198.51.100.1', 'unknown', '[2001:db8::1]:1, 127.0.0.9', ',', '2001:DB8::2%eth0']
  t.strictSame(await statuses(...times(2, proxies('127.0.0.5'))), [200, 200])
  for (const text of forged) t.strictSame(await statuses(proxies(`${text}, 127.0.0.5`)), [429], text)
  t.strictSame(await statuses(proxies('127.0.0.6')), [200], 'another client')
  t.same(logged, new Set(['127.0.0.5', '127.0.0.6']))
})

test('different spellings of an address share one limit', async t => {
  const statuses = await limited({ TRUST_PROXY: 'loopback', RATE_LIMIT_MAX: '1' })
  const groups: [first: string, ...others: string[]][] = [
    ['192.0.2.1', '192.0.2.1:1', '192.0.2.1:2', ' 192.0.2.1 ', '::ffff:192.0.2.1', '[::FFFF:c000:201]:3'],
    ['2001:db8::1', '2001:DB8:0::1', '[2001:db8::1]:443', '2001:db8::1%a', '2001:db8::2', '2001:db8:0:0:f::'],
    ['unknown', '', 'garbage', '192.0.2.300', '192.0.2.1:x', '"192.0.2.1"', 'a'.repeat(2000)],
    ['2001:db8:0:1::1']
  ]
  for (const [first, ...others] of groups) {
    t.strictSame(await statuses(from(first)), [200], first)
    for (const other of others) t.strictSame(await statuses(from(other)), [429], other)
  }
  const direct = await limited({ RATE_LIMIT_MAX: '1' })
  t.strictSame(await direct(from('192.0.2.1'), from('192.0.2.2')), [200, 429])
})
