import { type BuildOptions, build, type Variables } from '../helpers/app.ts'
import { type Test, test } from '../helpers/tap.ts'

/** Starts a server. @returns a function that sends a request with this X-Forwarded-For and returns the status */
async function serverFor(t: Test, variables: Variables, options?: BuildOptions) {
  const app = await build(t, variables, options)
  return async (forwarded: string) =>
    (await app.inject({ url: '/nowhere', headers: { 'x-forwarded-for': forwarded } })).statusCode
}

test('with TRUST_PROXY=2 behind two proxies, rate limits and logs use the client’s address', async t => {
  const logged = new Set<string>()
  const logTo = (line: string) => {
    const { req } = JSON.parse(line)
    if (req !== undefined) logged.add(req.ip.replace(/:\d+$/, ''))
  }
  const variables = { TRUST_PROXY: '2', RATE_LIMIT_MAX: '2', LOG_LEVEL: 'info' }
  const status = await serverFor(t, variables, { logTo })
  const proxies = (client: string) => `${client}:4711, 127.0.0.1:4712`
  const forged = ['198.51.100.1', 'unknown', '[2001:db8::1]:1, 127.0.0.9', ',', '2001:DB8::2%eth0']
  t.equal(await status(proxies('127.0.0.5')), 404)
  t.equal(await status(proxies('127.0.0.5')), 404)
  for (const text of forged) t.equal(await status(`${text}, ${proxies('127.0.0.5')}`), 429, text)
  t.equal(await status(proxies('127.0.0.6')), 404, 'another client')
  t.same(logged, new Set(['127.0.0.5', '127.0.0.6']))
})

test('different spellings of the same address share one rate limit', async t => {
  const status = await serverFor(t, { TRUST_PROXY: 'loopback', RATE_LIMIT_MAX: '1' })
  const groups: [first: string, ...others: string[]][] = [
    ['192.0.2.1', '192.0.2.1:1', '192.0.2.1:2', ' 192.0.2.1 ', '::ffff:192.0.2.1', '[::FFFF:c000:201]:3'],
    ['2001:db8::1', '2001:DB8:0::1', '[2001:db8::1]:443', '2001:db8::1%a', '2001:db8::2', '2001:db8:0:0:f::'],
    ['unknown', '', 'garbage', '192.0.2.300', '192.0.2.1:x', '"192.0.2.1"', 'a'.repeat(2000)]
  ]
  for (const [first, ...others] of groups) {
    t.equal(await status(first), 404, first)
    for (const other of others) t.equal(await status(other), 429, other)
  }
  t.equal(await status('2001:db8:0:1::1'), 404, 'another network')
})

test('TRUST_PROXY=false makes the server ignore addresses in headers', async t => {
  const status = await serverFor(t, { RATE_LIMIT_MAX: '1' })
  t.equal(await status('192.0.2.1'), 404)
  t.equal(await status('192.0.2.2'), 429)
})
