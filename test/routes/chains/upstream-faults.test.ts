import { throughProxy } from '../../helpers/chain-api.ts'
import { json } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'

test('returns empty lists for an unknown pair of chains', async t => {
  const api = await throughProxy(t)
  api.answer = response => json(response, { code: 5, message: 'not found', details: [] }, 404)
  t.same((await api.server.inject('/chains/get_available_chains/WLD')).json(), { Chains: [] })
  t.same((await api.server.inject('/chains/get_currencies/WLD/ETH')).json(), { Currencies: [] })
})

test('lists a chain even if it has no tokens, keys or balances', async t => {
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
