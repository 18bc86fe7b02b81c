import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { chains } from '../../../packages/devnet/registry/chains.ts'
import { poolKeys } from '../../../packages/devnet/registry/pools.ts'
import { advanceClock, stopClock, stretchTimers } from '../../helpers/clock.ts'
import { json } from '../../helpers/local-server.ts'
import { patientGet } from '../../helpers/patient-fetch.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { throughProxy } from '../chain-api.ts'

/** Paths of all listings whose data comes from the chain API. */
const LISTINGS = [
  '/chains',
  '/chains/names',
  '/chains/chain',
  '/chains/get_available_chains/POL',
  '/chains/get_currencies/ETH/POL',
  '/chains/pool',
  '/chains/pool_balance',
  '/chains/tss_pubkey'
]

test('serves cached responses for ten minutes while the chain API is down', async t => {
  stopClock(t)
  stretchTimers(t)
  const api = await throughProxy(t)
  const warm = new Map<string, unknown>()
  for (const url of [...LISTINGS, '/chains/env']) warm.set(url, (await api.server.inject(url)).json())
  api.die()

  let age = 0
  for (const seconds of [30, 500]) {
    advanceClock(seconds)
    age += seconds
    for (const [url, body] of warm) {
      const response = await api.server.inject(url)
      t.match(response, { statusCode: 200, headers: { age: String(age) } }, `${url} after ${age} s`)
      t.same(response.json(), body)
    }
  }

  advanceClock(100)
  for (const url of LISTINGS) t.equal((await api.server.inject(url)).statusCode, 502, url)
  t.match((await api.server.inject('/chains/env')).json(), { transferLimitMaxUSDT: null })
})

test('a response from several upstream responses reports the age of the oldest', async t => {
  stopClock(t)
  const { server } = await throughProxy(t)
  for (const [url, ...parts] of [
    ['/chains/pool', '/chains', '/chains/tss_pubkey', '/chains/pool_balance'],
    ['/chains/get_currencies/CC/POL', '/chains']
  ] as const) {
    for (const part of parts) {
      await server.inject(part)
      advanceClock(5)
      t.equal((await server.inject(url)).headers.age, '5', `${url} with ${part}`)
      // Skip the period during which the service serves a cached value.
      advanceClock(601)
    }
  }
})

test('refreshes data after ten seconds, and waits for it after a minute', async t => {
  stopClock(t)
  stretchTimers(t)
  const { server, asked } = await throughProxy(t)
  const age = async () => (await server.inject('/chains/tss_pubkey')).headers.age
  t.equal(await age(), '0')
  advanceClock(9)
  t.equal(await age(), '9')
  t.equal(asked().length, 1)
  advanceClock(1)
  t.equal(await age(), '10', 'served while it is refreshed')
  await until(async () => (await age()) === '0', 'the data is new')
  t.equal(asked().length, 2)
  advanceClock(61)
  t.equal(await age(), '0')
})

test('the body and ETag change only when their data changes', async t => {
  stopClock(t)
  let nativeGasAmount = '1'
  const { server } = await throughProxy(t, (response, { url }) => {
    if (url.endsWith('/chain')) json(response, { Chain: chains })
    else if (url.endsWith('/tss_pubkey')) json(response, { tssPubkey: [poolKeys] })
    else json(response, { poolBalance: [{ index: 1, chainName: 'ARB', balance: [], nativeGasAmount }] })
  })
  const read = async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const response = await server.inject({ url: '/chains/pool', headers })
    const [pool] = JSON.parse(gunzipSync(response.rawPayload).toString())
    return { etag: response.headers.etag, amount: pool.nativeGasAmount }
  }
  await server.inject('/chains/pool_balance')
  advanceClock(5)
  const first = await read()
  t.equal(first.amount, '1')
  advanceClock(1)
  t.same(await read(), first)
  nativeGasAmount = '2'
  advanceClock(5)
  // Only the balances are old enough to be read again.
  const next = await until(async () => {
    const now = await read()
    return now.amount === '2' && now
  }, 'the body is new')
  t.not(next.etag, first.etag)
})

test('returns 304 without a body to a client that has the current response', async t => {
  const { server } = await throughProxy(t)
  for (const url of [...LISTINGS, '/chains/env']) {
    const { headers, body } = await patientGet(server, url)
    const tag = String(headers.etag)
    const cached = { 'cache-control': 'public, max-age=10', age: /^\d+$/, vary: 'Origin, accept-encoding' }
    t.match(headers, { 'content-type': /^application\/json/, ...cached }, url)
    const ask = (known: string) => server.inject({ url, headers: { 'if-none-match': known } })
    for (const known of [tag, `"other", ${tag}`, tag.replace('W/', ''), '*']) {
      const again = await ask(known)
      t.match(again, { statusCode: 304, body: '' }, `${url} for ${known}`)
      t.match(again.headers, { etag: tag, age: /^\d+$/, 'cache-control': 'public, max-age=10' })
    }
    for (const other of ['"other"', '"a,*,b"', '"a", *', `"other,${tag.slice(3)}`])
      t.match(await ask(other), { statusCode: 200, body }, `${url} for ${other}`)
  }
  const url = '/chains/get_available_chains/XYZ'
  t.equal((await server.inject({ url, headers: { 'if-none-match': '*' } })).statusCode, 404)
})

test('compresses responses for clients that accept it', async t => {
  const { server } = await throughProxy(t)
  const plain = await server.inject('/chains')
  const asSent = (payload: Buffer) => payload
  for (const [accepted, encoding, decode] of [
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip;q=1, br;q=0.5', 'gzip', gunzipSync],
    ['gzip;q=0, br;q=0', undefined, asSent],
    ['', undefined, asSent]
  ] as const) {
    const request = { url: '/chains', headers: { 'accept-encoding': accepted } }
    const { headers, rawPayload } = await server.inject(request)
    t.match(headers, { 'content-encoding': encoding, etag: plain.headers.etag }, accepted)
    t.equal(decode(rawPayload).toString(), plain.body)
  }
  const short = await server.inject({ url: '/chains/env', headers: { 'accept-encoding': 'br' } })
  t.equal(short.headers['content-encoding'], undefined, 'a short response is not compressed')
})
