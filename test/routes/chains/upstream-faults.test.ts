import type { ServerResponse } from 'node:http'
import { LISTINGS, throughProxy } from '../../helpers/chain-api/proxied-chain-api.ts'
import { json } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'

const FAULTS: Record<string, (response: ServerResponse) => void> = {
  HTML: response => response.end('<html>internal detail</html>'),
  'half a JSON': response => response.end('{"Chain":[{"symbol":"internal detail'),
  'status 500': response => json(response, { message: 'internal detail' }, 500),
  'the wrong shape': response => json(response, { Chain: 'internal detail', Chains: 1, tssPubkey: {} }),
  null: response => json(response, null),
  'a broken connection': response => response.destroy()
}

test('a chain API that fails while nothing is cached', async t => {
  const api = await throughProxy(t)

  for (const [name, answer] of Object.entries(FAULTS)) {
    t.test(`by ${name}, is a 502 without any detail of it`, async t => {
      api.answer = answer
      api.log.length = 0
      for (const url of LISTINGS) {
        const response = await api.server.inject(url)
        t.match(response.json(), { statusCode: 502, code: 'UPSTREAM_ERROR', error: 'Bad Gateway' }, url)
        t.notMatch(response.body, /internal detail|chain API|127\.0\.0\.1/)
        t.equal(response.headers.age, undefined)
      }
      const failed = api.log.filter(({ msg }) => msg === 'request failed')
      t.equal(failed.length, LISTINGS.length)
      for (const { err } of failed) t.match(err?.message, /^chain API: /)
      const env = await api.server.inject('/chains/env')
      t.match(env, { statusCode: 200, headers: { age: undefined } })
      t.match(env.json(), { env: 'testnet', transferLimitMaxUSDT: null })
    })
  }

  t.test('by hanging, is a 504 in bounded time', async t => {
    api.answer = () => {}
    api.log.length = 0
    const waiting = [...LISTINGS, '/chains/env'].map(url => api.server.inject(url))
    const env = (await Promise.all(waiting)).pop()
    for (const response of await Promise.all(waiting.slice(0, -1))) {
      t.match(response.json(), { statusCode: 504, code: 'UPSTREAM_TIMEOUT', error: 'Gateway Timeout' })
    }
    t.match(env?.json(), { transferLimitMaxUSDT: null })
    const failed = api.log.filter(({ msg }) => msg === 'request failed')
    t.equal(failed.length, LISTINGS.length)
    for (const { err } of failed) t.match(err?.message, /^chain API: no answer within \d+ ms$/)
  })

  t.test('works again as soon as it answers', async t => {
    api.answer = undefined
    await until(
      async () => (await api.server.inject('/chains')).statusCode === 200,
      'the pause of calls is over'
    )
    for (const url of LISTINGS) t.equal((await api.server.inject(url)).statusCode, 200, url)
  })
})

test('lists are empty for a pair that the chain does not know', async t => {
  const api = await throughProxy(t)
  api.answer = response => json(response, { code: 5, message: 'not found', details: [] }, 404)
  t.same((await api.server.inject('/chains/get_available_chains/WLD')).json(), { Chains: [] })
  t.same((await api.server.inject('/chains/get_currencies/WLD/ETH')).json(), { Currencies: [] })
})

test('no pool keys are a 502', async t => {
  const api = await throughProxy(t)
  for (const url of ['/chains', '/chains/pool_balance']) await api.server.inject(url)
  api.answer = response => json(response, { tssPubkey: [] })
  t.match((await api.server.inject('/chains/pool')).json(), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})

test('a chain without tokens, keys or balances is listed without them', async t => {
  const bare = (symbol: string) => ({ symbol, tokens: [], disabled: false, derivationAlgorithm: '' })
  const api = await throughProxy(t)
  api.answer = (response, { url }) => {
    if (url.endsWith('/chains/chain'))
      return json(response, {
        Chain: [bare('BTC'), bare('NEW')]
      })
    if (url.endsWith('/pool_balance')) return json(response, { poolBalance: [] })
    json(response, {
      tssPubkey: [{ tssPubKey: '', ecdsa: '', eddsa: '', reserved: '' }],
      pagination: { next_key: 'AA==', total: '7' }
    })
  }
  t.match((await api.server.inject('/chains')).json(), [
    { shortName: 'BTC', supportedTokens: [], disabled: false, derivationAlgorithm: '' }
  ])
  t.same((await api.server.inject('/chains/chain')).json().Chain, [bare('BTC'), bare('NEW')])
  t.same((await api.server.inject('/chains/pool')).json(), [
    { chainName: 'BTC', poolAddress: '', balance: [], nativeGasAmount: '0' }
  ])
  t.same((await api.server.inject('/chains/tss_pubkey')).json(), {
    tssPubkey: [{ tssPubKey: '', ecdsa: '', eddsa: '', reserved: '' }],
    pagination: { nextKey: 'AA==', total: 7 }
  })
})
