import { dirname, join } from 'node:path'
import { startNetwork, testEnv, untilReady } from '../../helpers/app.ts'
import { patientFetch, patientPost } from '../../helpers/patient-fetch.ts'
import { root } from '../../helpers/repository.ts'
import { builtServer, startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'

const json = { 'content-type': 'application/json' }
const origin = { origin: 'https://shop.example' }

/** Requests that the service must answer in a host as it does alone. */
const REQUESTS: readonly [path: string, init?: RequestInit][] = [
  ['/health'],
  ['/health', { method: 'HEAD' }],
  ['/chains', { headers: { 'accept-encoding': 'identity', ...origin } }],
  ['/CHAINS'],
  ['/chains/'],
  ['/chains/get_currencies/ETH/POL'],
  ['/chains?client=1', { headers: { 'accept-encoding': 'br' } }],
  ['/submit/fees'],
  [`/tx/${'9'.repeat(40)}/status`],
  ['/chains', { headers: { origin: 'https://other.example' } }],
  ['/submit', { method: 'POST' }],
  ['/submit', { method: 'POST', headers: json, body: '{' }],
  ['/submit', { method: 'POST', headers: json, body: JSON.stringify({ amount: 7, other: 'x'.repeat(600) }) }],
  ['/submit', { method: 'POST', headers: json, body: JSON.stringify({ other: 'x'.repeat(70_000) }) }],
  ['/submit', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' }],
  ['/submit', { method: 'POST', headers: { 'content-type': 'none' }, body: '{}' }],
  ['/kyc', { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: '--b--' }]
]

const HEADERS =
  'access-control-allow-origin cache-control content-encoding content-length content-type etag vary x-host x-request-id'

async function responseOf(url: string, init: RequestInit = {}) {
  const headers = { 'x-request-id': 'one', ...init.headers }
  const response = await patientFetch(url, { ...init, headers })
  const given = HEADERS.split(' ').map(name => [name, response.headers.get(name)])
  return { status: response.status, ...Object.fromEntries(given), body: await response.text() }
}

test('the service responds the same inside a host with its own plugins', async t => {
  const devnet = await startNetwork(t)
  const service = join(dirname(await builtServer()), 'index.js')
  const program = join(root, 'test/app/hosts/host.cjs')
  const formats = {
    esm: ['--input-type=module', '--eval', `import run from '${program}'; run(await import('${service}'))`],
    cjs: ['--eval', `require('${program}')(require('${service}'))`]
  }
  const alone = await startServer(t, testEnv(t, devnet))

  const cases = [
    { format: 'esm', ORDER: 'before', PREFIX: '/payments' },
    { format: 'cjs', ORDER: 'after', PREFIX: '/payments' },
    { format: 'cjs', ORDER: 'before', PREFIX: '' },
    { format: 'esm', ORDER: 'after', PREFIX: '' }
  ] as const
  for (const { format, ORDER, PREFIX } of cases) {
    const title = `responds at ${PREFIX || '/'} of a host (${format}) with its plugins ${ORDER} the service`
    await t.test(title, async t => {
      const server = await startServer(t, testEnv(t, devnet, { ORDER, PREFIX }), formats[format])
      const { url } = server
      for (const [path, init] of PREFIX === '' ? REQUESTS : [...REQUESTS, ['/unknown'] as const]) {
        t.same(await responseOf(url + PREFIX + path, init), await responseOf(alone.url + path, init), path)
      }
      await untilReady(url + PREFIX)
      const submitted = await patientPost(`${url}${PREFIX}/submit`, submitBody(`${format}-${ORDER}`))
      t.match(await submitted.json(), { txId: Number })
      t.notMatch(server.output, 'originAddress=', 'the host’s log lines contain no query of the service')

      const shop = await (await fetch(`${url}/shop`)).json()
      t.match(shop, { shop: 'the host’s client', chains: 'the host’s chains', isOfHost: true })
      const posted = await fetch(`${url}/shop`, { method: 'POST', body: 'text' })
      t.match(await posted.json(), { host: 'text', serializedBy: 'the host' })
      t.match(await (await fetch(`${url}/unknown`)).json(), { host: 'unknown' })
      const docs = await fetch(`${url}/docs/json`)
      t.equal(docs.status, 200)
      const text = await docs.text()
      t.same(Object.keys(JSON.parse(text).paths), ['/shop'])
      t.notMatch(text, 'apiKey')
      for (const header of ['x-blocked', 'x-forbidden']) {
        const refused = await fetch(`${url}${PREFIX}/health`, { headers: { [header]: '1' } })
        t.equal(refused.status, 418, `the host’s hooks also protect the service (${header})`)
      }
    })
  }
})
