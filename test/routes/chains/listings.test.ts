import { chains as registry } from '../../../packages/devnet/registry/chains.ts'
import { poolKeys } from '../../../packages/devnet/registry/pools.ts'
import { build, MAINNET, startNetwork } from '../../helpers/app.ts'
import { throughProxy } from '../../helpers/chain-api.ts'
import { json } from '../../helpers/local-server.ts'
import { patientGet } from '../../helpers/patient-fetch.ts'
import { test } from '../../helpers/tap.ts'

const NAMES = 'ARB AVX BANK BASE BERA BSC BTC CC CFX ETH OPT POL SOL TRX WLD'.split(' ')

test('the routes under /chains', async t => {
  const devnet = await startNetwork(t)
  const app = await build(t, {}, { devnet })

  async function get(url: string) {
    const response = await patientGet(app, url)
    t.equal(response.statusCode, 200, url)
    t.match(response.headers['content-type'], /^application\/json/)
    t.match(response.headers.age, /^\d+$/, `age of ${url}`)
    return response.json()
  }

  t.test('/chains lists each supported chain with its tokens', async t => {
    const chains: Record<string, unknown>[] = await get('/chains')
    t.same(
      chains.map(({ shortName }) => shortName),
      NAMES
    )
    t.same(
      chains.find(({ shortName }) => shortName === 'ETH'),
      {
        id: 11155111,
        name: 'Sepolia',
        shortName: 'ETH',
        compatibility: 'EVM',
        isEvm: true,
        testnet: true,
        nativeCurrency: { name: 'Sepolia Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: ['https://11155111.rpc.thirdweb.com'] } },
        blockExplorers: {
          default: {
            name: 'Etherscan',
            url: 'https://sepolia.etherscan.io',
            apiUrl: 'https://api-sepolia.etherscan.io/api'
          }
        },
        supportedLocations: ['origin', 'target'],
        supportedTokens: registry
          .find(({ symbol }) => symbol === 'ETH')
          ?.tokens.map(token => ({
            ...token,
            decimals: Number(token.decimals),
            ...(token.symbol === 'WETH' && { supportedLocations: ['target'] })
          })),
        disabled: false,
        derivationAlgorithm: 'ECDSA'
      }
    )
    t.match(Object.fromEntries(chains.map(chain => [chain['shortName'], chain])), {
      BERA: { supportedLocations: ['target'] },
      SOL: { compatibility: 'SELF', derivationAlgorithm: 'EDDSA' },
      TRX: { compatibility: 'SELF' },
      BTC: {
        compatibility: 'BTC',
        supportedLocations: ['origin', 'target'],
        supportedTokens: [{ symbol: 'BTC', address: '', decimals: 8 }]
      }
    })
    const tokens = (shortName: string) =>
      chains.find(chain => chain['shortName'] === shortName)?.['supportedTokens']
    t.match(tokens('SOL'), [{}, {}, { symbol: 'WSOL', supportedLocations: ['target'] }])
    t.match(tokens('OPT'), [{ symbol: 'USDT', isPermit2: true }, { symbol: 'USDC' }])
    const rail = {
      testnet: true,
      rpcUrls: { default: { http: [] } },
      blockExplorers: { default: { name: '', url: '' } },
      supportedLocations: ['origin'],
      disabled: false
    }
    t.match(
      chains.filter(({ shortName }) => shortName === 'BANK' || shortName === 'CC'),
      [
        {
          ...rail,
          compatibility: 'BANK',
          supportedTokens: [{ symbol: 'EUR', address: 'sepaEur', decimals: 2, peggedTo: 'EUR' }]
        },
        {
          ...rail,
          compatibility: 'CC',
          supportedTokens: [{ symbol: 'USD', address: 'creditCard', decimals: 2, peggedTo: 'USD' }]
        }
      ]
    )
  })

  t.test('/chains/names, /chains/chain and /chains/tss_pubkey return the chain’s lists', async t => {
    t.same((await get('/chains/names')).Chains.sort(), NAMES)
    const pagination = { nextKey: null, total: registry.length }
    t.same(await get('/chains/chain'), { Chain: registry, pagination })
    t.same(await get('/chains/tss_pubkey'), {
      tssPubkey: [poolKeys],
      pagination: { ...pagination, total: 1 }
    })
  })

  t.test('/chains/get_available_chains lists the chains that can pay to a target', async t => {
    const origins = NAMES.filter(name => !['POL', 'BERA'].includes(name))
    t.same((await get('/chains/get_available_chains/POL')).Chains.sort(), origins)
    for (const rail of ['CC', 'BANK', 'FIAT']) {
      t.same(await get(`/chains/get_available_chains/${rail}`), { Chains: [] }, `${rail} is not a target`)
    }
  })

  t.test('/chains/get_currencies lists the tokens that an origin can pay to a target', async t => {
    const pairs: [string, string[]][] = [
      ['ETH/POL', ['USDT', 'USDC']],
      ['ETH/AVX', ['USDT', 'USDC', 'EURC']],
      ['BTC/ETH', ['BTC']],
      ['CC/ETH', ['USD']],
      ['BANK/ETH', ['EUR']],
      ['BANK/POL', []],
      ['FIAT/ETH', ['USD', 'EUR']],
      ['BERA/ETH', []],
      ['ETH/CC', []]
    ]
    for (const [pair, Currencies] of pairs) {
      t.same(await get(`/chains/get_currencies/${pair}`), { Currencies }, pair)
    }
  })

  t.test('/chains/pool_balance and /chains/pool return the pools', async t => {
    const balance = [
      { amount: '1000000', tokenSymbol: 'USDT', decimal: '6' },
      { amount: '1000000', tokenSymbol: 'USDC', decimal: '6' }
    ]
    const arbitrum = { chainName: 'ARB', balance, nativeGasAmount: '100' }
    const { poolBalance } = await get('/chains/pool_balance')
    t.same(poolBalance[0], { index: 'ARB', ...arbitrum })
    t.equal(poolBalance.length, registry.length - 1)
    const pools: Record<string, unknown>[] = await get('/chains/pool')
    t.same(pools[0], { poolAddress: poolKeys.ecdsa, ...arbitrum })
    const { ecdsa, eddsa: SOL, reserved: BTC } = poolKeys
    const others = { SOL, TRX: 'TMbvCe369NL6rtqqy7sRJfe4zfBZzQDX5f', BTC }
    const names = NAMES.filter(name => name !== 'CC' && name !== 'BANK')
    t.same(
      pools.map(({ chainName, poolAddress }) => [chainName, poolAddress]),
      names.map(name => [name, { [name]: ecdsa, ...others }[name]])
    )
  })

  t.test('returns 404 for an unknown short name and 400 for a malformed one', async t => {
    for (const path of ['get_available_chains/XYZ', 'get_currencies/XYZ/ETH', 'get_currencies/ETH/XYZ']) {
      const response = await patientGet(app, `/chains/${path}`)
      t.match(response.json(), { statusCode: 404, code: 'NOT_FOUND', message: 'There is no chain XYZ' }, path)
    }
    for (const name of ['eth', 'toString', '__proto__']) {
      t.equal((await patientGet(app, `/chains/get_available_chains/${name}`)).statusCode, 404, name)
    }
    const malformed: [string, string][] = [
      ['get_available_chains/..%2Fchain', '/targetChain'],
      ['get_currencies/ETH/%00', '/targetChain'],
      ['get_currencies/a%20b/ETH', '/originChain']
    ]
    for (const [path, field] of malformed) {
      const response = await patientGet(app, `/chains/${path}`)
      t.match(response.json(), { statusCode: 400, code: 'VALIDATION', details: [{ path: field }] }, path)
    }
  })
})

test('/chains/env returns the widget settings, and mainnet lists the mainnet chains', async t => {
  const devnet = await startNetwork(t)
  const bare = await build(t, {}, { devnet })
  const response = await bare.inject('/chains/env')
  t.match(response.headers.age, /^\d+$/)
  const { backendVersion, ...env } = response.json()
  t.match(backendVersion, /^\d+\.\d+\.\d+/)
  const unset = { serviceExplorer: null, paymentPartnerId: null }
  t.strictSame(env, { env: 'testnet', transferLimitMaxUSDT: '10000', ...unset })

  const settings = { SERVICE_EXPLORER: 'https://explorer.example', PAYMENT_PARTNER_ID: 'partner-1' }
  const full = await build(t, { ...MAINNET, ...settings }, { devnet })
  t.match((await full.inject('/chains/env')).json(), {
    env: 'mainnet',
    serviceExplorer: 'https://explorer.example',
    paymentPartnerId: 'partner-1'
  })
  const chains: { shortName: string; testnet: boolean }[] = (await full.inject('/chains')).json()
  t.match(
    chains.find(({ shortName }) => shortName === 'ETH'),
    { id: 1, name: 'Ethereum' }
  )
  t.ok(chains.every(({ testnet }) => !testnet))
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
