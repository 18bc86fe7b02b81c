import type { FastifyInstance } from 'fastify'
import { DEVELOPMENT_KYC_KEY } from '../../../packages/devnet/kyc/index.ts'
import { chains as registry } from '../../../packages/devnet/registry/chains.ts'
import { poolKeys } from '../../../packages/devnet/registry/pools.ts'
import { build, MAINNET, startNetwork } from '../../helpers/app.ts'
import { json } from '../../helpers/local-server.ts'
import { patientGet } from '../../helpers/patient-fetch.ts'
import { t as root, type Test, test } from '../../helpers/tap.ts'
import { throughProxy } from '../chain-api.ts'

const NAMES = 'ARB AVX BANK BASE BERA BSC BTC CC CFX ETH OPT POL SOL TRX WLD'.split(' ')
/** In the same order, without those of the rails (interface 4.1). */
const IDS = {
  testnet: '421614 43113 84532 80069 97 9092725 71 11155111 11155420 80002 1936682084 3448148188 4801',
  mainnet: '42161 43114 8453 80094 56 8253038 1030 1 10 137 792703809 728126428 480'
}
const without = (...names: string[]) => NAMES.filter(name => !names.includes(name))

interface Listed {
  id: number
  shortName: string
  testnet: boolean
  rpcUrls: { default: { http: string[] } }
  blockExplorers: { default: { url: string } }
  supportedLocations: string[]
  supportedTokens: object[]
}

const devnet = await startNetwork(root)
const app = await build(root, {}, { devnet })

const get = async (url: string, from: FastifyInstance = app) => (await patientGet(from, url)).json()
const chainsBy = async (from?: FastifyInstance): Promise<Record<string, Listed>> => {
  const chains: Listed[] = await get('/chains', from)
  return Object.fromEntries(chains.map(chain => [chain.shortName, chain]))
}

test('/chains lists each supported chain with its tokens', async t => {
  const chains = await chainsBy()
  t.same(Object.keys(chains), NAMES)
  const ofEth = registry.find(({ symbol }) => symbol === 'ETH')
  const supportedTokens = ofEth?.tokens.map(({ decimals, ...token }) => ({
    ...token,
    decimals: Number(decimals),
    ...(token.symbol === 'WETH' && { supportedLocations: ['target'] })
  }))
  const url = 'https://sepolia.etherscan.io'
  const apiUrl = 'https://api-sepolia.etherscan.io/api'
  t.same(chains['ETH'], {
    id: 11155111,
    name: 'Sepolia',
    shortName: 'ETH',
    testnet: true,
    compatibility: 'EVM',
    isEvm: true,
    derivationAlgorithm: 'ECDSA',
    disabled: false,
    nativeCurrency: { name: 'Sepolia Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: ['https://11155111.rpc.thirdweb.com'] } },
    blockExplorers: { default: { name: 'Etherscan', url, apiUrl } },
    supportedLocations: ['origin', 'target'],
    supportedTokens
  })
  const none = { rpcUrls: { default: { http: [] } }, blockExplorers: { default: { name: '', url: '' } } }
  const rail = { ...none, testnet: true, supportedLocations: ['origin'], disabled: false }
  const euros = { symbol: 'EUR', address: 'sepaEur', decimals: 2, peggedTo: 'EUR' }
  const dollars = { symbol: 'USD', address: 'creditCard', decimals: 2, peggedTo: 'USD' }
  t.match(chains, {
    BANK: { ...rail, compatibility: 'BANK', supportedTokens: [euros] },
    BERA: { supportedLocations: ['target'] },
    BTC: {
      compatibility: 'BTC',
      supportedLocations: ['origin', 'target'],
      supportedTokens: [{ symbol: 'BTC', address: '', decimals: 8 }]
    },
    CC: { ...rail, compatibility: 'CC', supportedTokens: [dollars] },
    OPT: { supportedTokens: [{ symbol: 'USDT', isPermit2: true }, { symbol: 'USDC' }] },
    SOL: {
      compatibility: 'SELF',
      derivationAlgorithm: 'EDDSA',
      supportedTokens: [{}, {}, { symbol: 'WSOL', supportedLocations: ['target'] }]
    },
    TRX: { compatibility: 'SELF' }
  })
})

test('/chains/names, /chains/chain and /chains/tss_pubkey return the chain’s lists', async t => {
  t.same((await get('/chains/names')).Chains.sort(), NAMES)
  const pagination = { nextKey: null, total: registry.length }
  t.same(await get('/chains/chain'), { Chain: registry, pagination })
  t.same(await get('/chains/tss_pubkey'), { tssPubkey: [poolKeys], pagination: { ...pagination, total: 1 } })
})

test('/chains/get_available_chains lists the chains that can pay to a target', async t => {
  t.same((await get('/chains/get_available_chains/POL')).Chains.sort(), without('POL', 'BERA'))
  for (const rail of ['CC', 'FIAT'])
    t.same(await get(`/chains/get_available_chains/${rail}`), { Chains: [] }, `${rail} is not a target`)
})

test('/chains/get_currencies lists the tokens that an origin can pay to a target', async t => {
  for (const [pair, Currencies] of [
    ['ETH/POL', ['USDT', 'USDC']],
    ['ETH/AVX', ['USDT', 'USDC', 'EURC']],
    ['CC/ETH', ['USD']],
    ['BANK/ETH', ['EUR']],
    ['BANK/POL', []],
    ['FIAT/ETH', ['USD', 'EUR']],
    ['BERA/ETH', []],
    ['ETH/CC', []]
  ] as const)
    t.same(await get(`/chains/get_currencies/${pair}`), { Currencies }, pair)
})

test('/chains/pool_balance and /chains/pool return the pools', async t => {
  const balance = ['USDT', 'USDC'].map(tokenSymbol => ({ amount: '1000000', tokenSymbol, decimal: '6' }))
  const arbitrum = { chainName: 'ARB', balance, nativeGasAmount: '100' }
  const { poolBalance } = await get('/chains/pool_balance')
  t.same(poolBalance[0], { index: 'ARB', ...arbitrum })
  t.equal(poolBalance.length, registry.length - 1)
  const pools: Record<string, unknown>[] = await get('/chains/pool')
  t.same(pools[0], { poolAddress: poolKeys.ecdsa, ...arbitrum })
  const { ecdsa, eddsa: SOL, reserved: BTC } = poolKeys
  const others = { SOL, TRX: 'TMbvCe369NL6rtqqy7sRJfe4zfBZzQDX5f', BTC }
  t.same(
    pools.map(({ chainName, poolAddress }) => [chainName, poolAddress]),
    without('CC', 'BANK').map(name => [name, { [name]: ecdsa, ...others }[name]])
  )
})

test('returns 404 for an unknown short name and 400 for a malformed one', async t => {
  const missing = (name: string) => ({
    statusCode: 404,
    code: 'NOT_FOUND',
    message: `There is no chain ${name}`
  })
  const malformed = (path: string) => ({ statusCode: 400, code: 'VALIDATION', details: [{ path }] })
  for (const [path, expected] of Object.entries({
    'get_available_chains/eth': missing('eth'),
    'get_available_chains/__proto__': missing('__proto__'),
    'get_currencies/XYZ/ETH': missing('XYZ'),
    'get_currencies/ETH/XYZ': missing('XYZ'),
    'get_available_chains/..%2Fchain': malformed('/targetChain'),
    'get_currencies/a%20b/ETH': malformed('/originChain')
  }))
    t.match(await get(`/chains/${path}`), expected, path)
})

test('/chains/env returns the widget settings, and mainnet lists the mainnet chains', async t => {
  const { backendVersion, ...env } = await get('/chains/env')
  t.match(backendVersion, /^\d+\.\d+\.\d+/)
  const unset = { serviceExplorer: null, paymentPartnerId: null }
  t.strictSame(env, { env: 'testnet', transferLimitMaxUSDT: '10000', ...unset })

  const settings = { SERVICE_EXPLORER: 'https://explorer.example', PAYMENT_PARTNER_ID: 'partner-1' }
  const full = await build(t, { ...MAINNET, ...settings }, { devnet })
  const shown = { serviceExplorer: 'https://explorer.example', paymentPartnerId: 'partner-1' }
  t.match(await get('/chains/env', full), { env: 'mainnet', ...shown })
  t.match((await chainsBy(full))['ETH'], { name: 'Ethereum' })
  for (const [environment, from] of [
    ['testnet', app],
    ['mainnet', full]
  ] as const) {
    const chains = Object.values(await chainsBy(from))
    const others = chains.filter(({ shortName }) => shortName !== 'BANK' && shortName !== 'CC')
    t.equal(others.map(({ id }) => id).join(' '), IDS[environment])
    t.equal(new Set(chains.map(({ id }) => id)).size, NAMES.length)
    for (const { shortName, rpcUrls, blockExplorers } of others) {
      t.ok(rpcUrls.default.http.length > 0, shortName)
      for (const url of [...rpcUrls.default.http, blockExplorers.default.url]) t.match(url, /^https:/, url)
    }
    for (const { testnet } of chains) t.equal(testnet, environment === 'testnet')
  }
})

test('the chain filter applies to every listing', async t => {
  const origin = { mode: 'whitelist', chains: ['AVX', 'ETH'] }
  const target = { mode: 'blacklist', chains: without('ETH', 'SOL') }
  const SERVICE_CHAIN_FILTER = JSON.stringify({ origin, target })
  const filtered = await build(t, { SERVICE_CHAIN_FILTER }, { devnet })
  const names = (entries: Record<string, string>[], name: string) => entries.map(each => each[name]).sort()
  const listed = ['AVX', 'ETH', 'SOL']
  const chains = await chainsBy(filtered)
  t.same(Object.keys(chains), listed)
  t.match(chains, {
    AVX: { supportedLocations: ['origin'] },
    ETH: { supportedLocations: ['origin', 'target'] },
    SOL: { supportedLocations: ['target'] }
  })
  t.same((await get('/chains/names', filtered)).Chains.sort(), listed)
  const { Chain, pagination } = await get('/chains/chain', filtered)
  t.same(names(Chain, 'symbol'), listed)
  t.equal(pagination.total, listed.length)
  t.same(names(await get('/chains/pool', filtered), 'chainName'), listed)
  t.same(names((await get('/chains/pool_balance', filtered)).poolBalance, 'chainName'), listed)

  const payers: Record<string, string[]> = { ETH: ['AVX'], SOL: ['AVX', 'ETH'], POL: [] }
  for (const [to, from] of Object.entries(payers)) {
    t.same((await get(`/chains/get_available_chains/${to}`, filtered)).Chains.sort(), from, to)
    for (const name of without(to)) {
      const { Currencies } = await get(`/chains/get_currencies/${name}/${to}`, filtered)
      t.equal(Currencies.length > 0, from.includes(name), `${name} to ${to}`)
    }
  }
})

test('forwards fields that only clients read, without this server’s secrets', async t => {
  const own = { symbol: 'ETH', tokens: [], disabled: false, derivationAlgorithm: '' }
  const sent = { ...own, note: { key: `sent ${DEVELOPMENT_KYC_KEY}` }, [DEVELOPMENT_KYC_KEY]: 7 }
  const key = DEVELOPMENT_KYC_KEY
  const tssPubkey = [{ tssPubKey: key, ecdsa: '', eddsa: '', reserved: '' }]
  const poolBalance = [{ index: key, chainName: 'ETH', balance: [], nativeGasAmount: key }]
  const all = { Chain: [sent], tssPubkey, poolBalance, pagination: { nextKey: key } }
  const { server } = await throughProxy(t, response => json(response, all))
  const [received] = (await get('/chains/chain', server)).Chain
  t.same(received, { ...own, note: { key: 'sent [secret]' }, '[secret]': 7 })
  for (const path of ['/chains/chain', '/chains/tss_pubkey', '/chains/pool_balance'])
    t.notMatch(JSON.stringify(await get(path, server)), key, path)
})

test('lists a chain even if it has no tokens, keys or balances', async t => {
  const bare = (symbol: string) => ({ symbol, tokens: [], disabled: false, derivationAlgorithm: '' })
  const Chain = [bare('BTC'), bare('NEW')]
  const tssPubkey = [{ tssPubKey: '', ecdsa: '', eddsa: '', reserved: '' }]
  const { server } = await throughProxy(t, (response, { url }) => {
    if (url.endsWith('/chains/chain')) json(response, { Chain, pagination: { total: '0' } })
    else if (url.endsWith('/pool_balance')) json(response, { poolBalance: [] })
    else json(response, { tssPubkey, pagination: { next_key: 'AA==', total: '7' } })
  })
  const { symbol: shortName, tokens: supportedTokens, ...others } = bare('BTC')
  t.match(await get('/chains', server), [{ shortName, supportedTokens, ...others }])
  t.same(await get('/chains/chain', server), { Chain, pagination: { nextKey: null, total: 2 } })
  t.same(await get('/chains/pool', server), [
    { chainName: 'BTC', poolAddress: '', balance: [], nativeGasAmount: '0' }
  ])
  t.same(await get('/chains/tss_pubkey', server), { tssPubkey, pagination: { nextKey: 'AA==', total: 7 } })
})

const USDT = { symbol: 'USDT', address: '0x01', decimals: '6', peggedTo: 'USD' }
const chain = (symbol: string, tokens: object[] = []) => {
  return { symbol, tokens, disabled: false, derivationAlgorithm: '' }
}

/** Builds the application with a chain API that responds to every request with these lists. */
const listing = async (t: Test, lists: object, variables = {}) =>
  throughProxy(t, response => json(response, lists), variables)

test('accepts numbers as strings and null as missing values from the chain API', async t => {
  const tokens = [{ ...USDT, decimals: 6, protocol: null, isPermit2: null, supportedLocations: null }]
  const balance = [{ tokenSymbol: 'USDT', amount: 1.25e-7, decimal: 6 }]
  const small = { index: 0, chainName: 'ETH', nativeGasAmount: 1e-7, balance }
  const huge = { index: '0', chainName: 'POL', balance: [], nativeGasAmount: '1e999999999' }
  const params = { transferLimitMaxUSDT: 10000 }
  const lists = { Chain: [chain('ETH', tokens)], poolBalance: [small, huge], params }
  const { server } = await listing(t, lists)
  t.strictSame((await chainsBy(server))['ETH']?.supportedTokens, [{ ...USDT, decimals: 6 }])
  const amounts = [{ tokenSymbol: 'USDT', amount: '0.000000125', decimal: '6' }]
  const expected = { index: '0', chainName: 'ETH', nativeGasAmount: '0.0000001', balance: amounts }
  t.strictSame((await get('/chains/pool_balance', server)).poolBalance, [expected, huge], 'texts are kept')
  t.match(await get('/chains/env', server), { transferLimitMaxUSDT: '10000' })
})

const keys = (change: object) => ({ tssPubkey: [{ ...poolKeys, ...change }] })
const wrongToken = chain('ETH', [{ ...USDT, decimals: '-1' }])

/** Listings that fail, with the wrong list of the chain API and what is logged. */
const WRONG: [url: string, lists: object, reason: RegExp][] = [
  ['/chains', { Chain: [wrongToken] }, /at "\/Chain\/0\/tokens\/0\/decimals"/],
  ['/chains', { Chain: [{ ...chain('ETH'), tokens: undefined }] }, /at "\/Chain\/0\/tokens"/],
  ['/chains/pool', { tssPubkey: [] }, /contains no pool keys$/],
  ['/chains/pool', keys({ ecdsa: poolKeys.ecdsa.slice(2) }), /the pool key for ETH is malformed$/],
  ['/chains/pool', keys({ eddsa: poolKeys.ecdsa }), /the pool key for SOL is malformed$/],
  ['/chains/pool', keys({ reserved: undefined }), /at "\/tssPubkey\/0\/reserved"/]
]

test('rejects an incomplete registry or pool keys, and logs what is wrong', async t => {
  const lists = { Chain: ['ETH', 'SOL', 'BTC'].map(symbol => chain(symbol)), poolBalance: [] }
  for (const [url, wrong, reason] of WRONG) {
    const { server, log } = await listing(t, { ...lists, ...wrong })
    t.match(await get(url, server), { statusCode: 502, code: 'UPSTREAM_ERROR' }, String(reason))
    t.match(log.at(-1)?.err?.message, reason)
  }
})

test('lists each rail once, and omits chains that the service does not support', async t => {
  const Chains = ['CC', 'FIAT', 'NEW', 'ETH']
  const names = await listing(t, { Chains })
  t.same(await get('/chains/names', names.server), { Chains: ['CC', 'BANK', 'ETH'] })
  const origins = await listing(t, { Chains: ['FIAT', 'BANK', ...Chains.slice(2)] })
  t.same(await get('/chains/get_available_chains/POL', origins.server), { Chains: ['BANK', 'CC', 'ETH'] })
  const fiat = { Chain: [chain('FIAT', [USDT])], Currencies: ['USD', 'EUR', 'GBP'] }
  const noCards = JSON.stringify({ origin: { mode: 'blacklist', chains: ['CC'] } })
  const { server } = await listing(t, fiat, { SERVICE_CHAIN_FILTER: noCards })
  t.same(await get('/chains/get_currencies/FIAT/POL', server), { Currencies: ['EUR'] })
})
