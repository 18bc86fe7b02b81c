import { gunzipSync } from 'node:zlib'
import { LISTINGS, throughProxy } from '../../helpers/chain-api.ts'
import { advanceClock, stopClock, stretchTimers } from '../../helpers/clock.ts'
import { json } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

test('serves cached responses for ten minutes while the chain API is down', async t => {
  stopClock(t)
  stretchTimers(t)
  const api = await throughProxy(t)
  const warm = new Map<string, unknown>()
  for (const url of [...LISTINGS, '/chains/env']) warm.set(url, (await api.server.inject(url)).json())
  api.die()

  for (const [seconds, age] of [
    [30, 30],
    [500, 530]
  ] as const) {
    advanceClock(seconds)
    for (const [url, body] of warm) {
      const response = await api.server.inject(url)
      t.equal(response.statusCode, 200, `${url} after ${age} s`)
      t.equal(response.headers.age, String(age), `age of ${url}`)
      t.same(response.json(), body)
    }
  }
  t.match(
    api.log.find(({ msg }) => msg.startsWith('chain API read failed')),
    { err: { message: /^chain API: / } }
  )

  advanceClock(100)
  for (const url of LISTINGS)
    t.equal((await api.server.inject(url)).statusCode, 502, `${url} after ten minutes`)
  t.match((await api.server.inject('/chains/env')).json(), { transferLimitMaxUSDT: null })
})

test('/chains/pool reports the age of its oldest upstream response', async t => {
  stopClock(t)
  const { server } = await throughProxy(t)
  for (const part of ['/chains', '/chains/tss_pubkey', '/chains/pool_balance']) {
    await server.inject(part)
    advanceClock(5)
    t.equal((await server.inject('/chains/pool')).headers.age, '5', part)
    // Skip the period during which the service serves a cached value.
    advanceClock(601)
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
  let amount = '1'
  const { server } = await throughProxy(t, (response, { url }) => {
    if (url.endsWith('/chains/chain'))
      return json(response, {
        Chain: [{ symbol: 'BTC', tokens: [], disabled: false, derivationAlgorithm: '' }]
      })
    if (url.endsWith('/tss_pubkey'))
      return json(response, {
        tssPubkey: [{ tssPubKey: '', ecdsa: '', eddsa: '', reserved: 'x'.repeat(1000) }]
      })
    json(response, { poolBalance: [{ index: 1, chainName: 'BTC', balance: [], nativeGasAmount: amount }] })
  })
  const read = async (encoding: string) => {
    const headers = { 'accept-encoding': encoding }
    const { rawPayload, headers: sent } = await server.inject({ url: '/chains/pool', headers })
    const bytes = encoding === 'gzip' ? gunzipSync(rawPayload) : rawPayload
    return { etag: sent.etag, nativeGasAmount: JSON.parse(bytes.toString())[0].nativeGasAmount }
  }
  await server.inject('/chains/pool_balance')
  advanceClock(5)
  const first = await read('gzip')
  t.equal(first.nativeGasAmount, '1')
  advanceClock(1)
  t.same(await read('gzip'), first)
  amount = '2'
  advanceClock(5)
  // Only the balances are old enough to be read again.
  await until(async () => (await read('identity')).nativeGasAmount === '2', 'the body is new')
  const next = await read('gzip')
  t.equal(next.nativeGasAmount, '2')
  t.not(next.etag, first.etag)
})
