import { type ChainFilterSettings, createChainFilter } from '../../../services/chains/filter.ts'
import { createChainService } from '../../../services/chains/index.ts'
import { createChainApi } from '../../../services/upstream/chain-api.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'

const usdt = { symbol: 'USDT', address: '0x01', decimals: '6', peggedTo: 'USD' }
const usdc = { symbol: 'USDC', address: '0x02', decimals: '18', peggedTo: 'USD', protocol: 'erc20' }
const keys = {
  tssPubKey: '02',
  ecdsa: `0x${'7f'.repeat(20)}`,
  eddsa: '445pK6Xbu56dGLvGoRY8m3WskAd3QChYxRmyh9nDEFjp',
  reserved: 'tb1q'
}

const chain = (symbol: string, more: object = {}) => ({
  symbol,
  tokens: [usdt, usdc],
  disabled: false,
  derivationAlgorithm: 'ECDSA',
  ...more
})

/**
 * Creates a chain service whose chain API returns these responses, keyed by the path after `/modules`. Other paths
 * return 404.
 */
async function chainsWith(t: Test, answers: Record<string, unknown>, filter: ChainFilterSettings = {}) {
  const server = await serve(t, ({ url }, response) => {
    const answer = answers[url.slice('/modules'.length)]
    if (answer === undefined) return json(response, { code: 5, message: 'not found', details: [] }, 404)
    json(response, answer)
  })
  const chainApi = createChainApi({ baseUrl: server.url, modulePath: '/modules' })
  t.teardown(() => chainApi.close())
  const { log } = keepingLog()
  return createChainService({
    environment: 'testnet',
    brand: 'acme',
    chainApi,
    filter: createChainFilter(filter),
    log
  })
}

const registryOf = (...Chain: object[]) => ({ '/chains/chain': { Chain } })

test('rejects an incomplete registry and reports the missing field', async t => {
  const withToken = (token: object) => chain('ETH', { tokens: [usdt, { ...usdc, ...token }] })
  for (const [entry, path] of [
    [withToken({ decimals: '' }), '/Chain/0/tokens/1/decimals'],
    [withToken({ decimals: '1.5' }), '/Chain/0/tokens/1/decimals'],
    [withToken({ decimals: '-1' }), '/Chain/0/tokens/1/decimals'],
    [withToken({ address: undefined }), '/Chain/0/tokens/1/address'],
    [withToken({ peggedTo: undefined }), '/Chain/0/tokens/1/peggedTo'],
    [chain('ETH', { disabled: undefined }), '/Chain/0/disabled'],
    [chain('ETH', { tokens: undefined }), '/Chain/0/tokens']
  ] as const) {
    const chains = await chainsWith(t, registryOf(entry))
    const error = { code: 'UPSTREAM_ERROR', message: new RegExp(`at "${path}"`) }
    await t.rejects(async () => chains.list(), error)
    await t.rejects(async () => chains.token('ETH', 'USDC'), error)
  }
})

test('lists a token’s locations from the registry, and ignores an empty list', async t => {
  const token = (symbol: string, more: object = {}) => ({ ...usdt, symbol, ...more })
  const tokens = [
    token('USDT', { supportedLocations: [], isPermit2: true }),
    token('USDC', { supportedLocations: ['origin'], isPermit2: false }),
    token('WETH'),
    token('WSOL', { supportedLocations: [] }),
    token('USD1', { supportedLocations: ['origin', 'target'] })
  ]
  const { value } = await (await chainsWith(t, registryOf(chain('ETH', { tokens })))).list()
  const listed = (value[0]?.supportedTokens ?? []).map(({ symbol, isPermit2, supportedLocations }) => {
    return [symbol, isPermit2, supportedLocations]
  })
  t.strictSame(listed, [
    ['USDT', true, undefined],
    ['USDC', false, ['origin']],
    ['WETH', undefined, ['target']],
    ['WSOL', undefined, ['target']],
    ['USD1', undefined, ['origin', 'target']]
  ])
})

test('accepts numbers as strings and null as missing values from the chain API', async t => {
  const tokens = [{ ...usdt, decimals: 6, protocol: null, isPermit2: null, supportedLocations: null }]
  const chains = await chainsWith(t, {
    ...registryOf(chain('ETH', { tokens })),
    '/chains/pool_balance': {
      poolBalance: [
        {
          ...{ index: 0, chainName: 'ETH', nativeGasAmount: 1e-7 },
          balance: [{ amount: 12.5, tokenSymbol: 'USDT', decimal: 6 }]
        }
      ]
    },
    '/transaction/params': { params: { transferLimitMaxUSDT: 10000 } }
  })
  const { value } = await chains.list()
  t.strictSame(value[0]?.supportedTokens, [{ ...usdt, decimals: 6 }])
  t.strictSame((await chains.poolBalances()).value, [
    {
      index: '0',
      chainName: 'ETH',
      balance: [{ amount: '12.5', tokenSymbol: 'USDT', decimal: '6' }],
      nativeGasAmount: '0.0000001'
    }
  ])
  t.equal((await chains.transferLimit())?.value, '10000')
})

test('finds a token by its symbol on its chain', async t => {
  const chains = await chainsWith(
    t,
    registryOf(chain('ETH'), chain('POL', { tokens: [usdt] }), chain('FIAT'))
  )
  t.match(await chains.token('ETH', 'USDC'), { symbol: 'USDC', decimals: 18 })
  t.match(await chains.token('POL', 'USDT'), { symbol: 'USDT', decimals: 6 })
  t.equal(await chains.token('POL', 'USDC'), undefined)
  t.equal(await chains.token('ETH', 'usdc'), undefined)
  t.equal(await chains.token('SOL', 'USDT'), undefined)
  t.match(await chains.token('FIAT', 'EUR'), { decimals: 2 })
  t.equal(await chains.token('CC', 'EUR'), undefined)
})

test('reports a chain as available, disabled or unknown, and FIAT as disabled with both rails', async t => {
  const off = { disabled: true }
  const oneRail = await chainsWith(t, registryOf(chain('CC', off), chain('BANK'), chain('ETH', off)))
  t.equal(await oneRail.status('CC'), 'disabled')
  t.equal(await oneRail.status('BANK'), 'available')
  t.equal(await oneRail.status('FIAT'), 'available')
  t.equal(await oneRail.status('ETH'), 'disabled')
  t.equal(await oneRail.status('POL'), 'unknown')
  const noRail = await chainsWith(t, registryOf(chain('FIAT', off)))
  t.equal(await noRail.status('FIAT'), 'disabled')
})

test('lists each rail once, and omits chains that the service does not support', async t => {
  const chains = await chainsWith(t, {
    '/chains/get_chains': { Chains: ['CC', 'FIAT', 'NEW', 'ETH'] },
    '/chains/get_available_chains/POL': { Chains: ['FIAT', 'BANK', 'NEW', 'ETH'] }
  })
  t.same((await chains.names()).value, ['CC', 'BANK', 'ETH'])
  t.same((await chains.origins('POL')).value, ['BANK', 'CC', 'ETH'])
})

test('the registry’s total counts chains on further pages but not hidden chains', async t => {
  const pagination = { next_key: 'AA==', total: '20' }
  const page = { '/chains/chain': { Chain: [chain('ETH'), chain('POL'), chain('NEW')], pagination } }
  const none = { mode: 'blacklist', chains: ['POL'] } as const
  const chains = await chainsWith(t, page, { origin: none, target: none })
  const { value } = await chains.registry()
  t.same(
    value.Chain.map(({ symbol }) => symbol),
    ['ETH', 'NEW'],
    'an unsupported chain is shown as in the registry'
  )
  t.same(value.pagination, { nextKey: 'AA==', total: 19 })
})

test('hides an unsupported chain if the chain filter excludes it', async t => {
  const hidden = { mode: 'whitelist', chains: ['ETH'] } as const
  const chains = await chainsWith(t, registryOf(chain('ETH'), chain('NEW')), {
    origin: hidden,
    target: hidden
  })
  const { value } = await chains.registry()
  t.same(
    value.Chain.map(({ symbol }) => symbol),
    ['ETH']
  )
})

test('lists the currencies for a pair of origin and target chains', async t => {
  const answers = {
    ...registryOf(chain('FIAT')),
    '/chains/get_currencies/ETH/POL': { Currencies: ['USDT'] },
    '/chains/get_currencies/POL/ETH': { Currencies: ['USDC'] },
    '/chains/get_currencies/FIAT/POL': { Currencies: ['USD', 'EUR', 'GBP'] }
  }
  const chains = await chainsWith(t, answers)
  t.same((await chains.currencies('ETH', 'POL')).value, ['USDT'])
  t.same((await chains.currencies('POL', 'ETH')).value, ['USDC'])
  t.same((await chains.currencies('CC', 'POL')).value, ['USD'])
  t.same((await chains.currencies('BANK', 'POL')).value, ['EUR'])
  t.same((await chains.currencies('FIAT', 'POL')).value, ['USD', 'EUR'])
  const banksOnly = await chainsWith(t, answers, { origin: { mode: 'blacklist', chains: ['CC'] } })
  t.same((await banksOnly.currencies('FIAT', 'POL')).value, ['EUR'])
})

const POOLS = {
  ...registryOf(chain('ETH'), chain('SOL'), chain('BTC'), chain('FIAT')),
  '/acme/tss_pubkey': { tssPubkey: [keys, { ...keys, ecdsa: 'from another pool' }] },
  '/chains/pool_balance': {
    poolBalance: [
      { index: '0', chainName: 'SOL', balance: [], nativeGasAmount: '7' },
      {
        index: 'SOL',
        chainName: 'ETH',
        balance: [{ amount: '5', tokenSymbol: 'USDT', decimal: 6 }],
        nativeGasAmount: '3'
      }
    ]
  }
}

test('lists each pool with the address from the first key set and its chain’s balance', async t => {
  const chains = await chainsWith(t, POOLS)
  t.same((await chains.pools()).value, [
    { chainName: 'BTC', poolAddress: keys.reserved, balance: [], nativeGasAmount: '0' },
    {
      chainName: 'ETH',
      poolAddress: keys.ecdsa,
      balance: [{ amount: '5', tokenSymbol: 'USDT', decimal: '6' }],
      nativeGasAmount: '3'
    },
    { chainName: 'SOL', poolAddress: keys.eddsa, balance: [], nativeGasAmount: '7' }
  ])
})

test('rejects pool keys without a valid address', async t => {
  for (const tssPubkey of [
    [],
    [{ ...keys, ecdsa: '' }],
    [{ ...keys, eddsa: '' }],
    [{ ...keys, reserved: undefined }]
  ]) {
    const chains = await chainsWith(t, { ...POOLS, '/acme/tss_pubkey': { tssPubkey } })
    await t.rejects(async () => chains.pools(), { code: 'UPSTREAM_ERROR', message: /^chain API: / })
  }
})

test('fails if the chain API returns 404, except for the transfer limit', async t => {
  const chains = await chainsWith(t, {})
  await t.rejects(async () => chains.list(), {
    code: 'UPSTREAM_ERROR',
    message: 'chain API: /chains/chain was not found'
  })
  t.equal(await chains.transferLimit(), undefined)
  const limited = await chainsWith(t, {
    '/transaction/params': { params: { transferLimitMaxUSDT: '10000' } }
  })
  t.match(await limited.transferLimit(), { value: '10000', ageSeconds: 0 })
})
