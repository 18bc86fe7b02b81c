import { type ChainFilterSettings, createChainFilter } from '../../../services/chains/filter.ts'
import { createChainService } from '../../../services/chains/index.ts'
import { createChainApi } from '../../../services/upstream/chain-api.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'

const usdt = { symbol: 'USDT', address: '0x01', decimals: '6', peggedTo: 'USD' }
const usdc = { symbol: 'USDC', address: '0x02', decimals: '18', peggedTo: 'USD', protocol: 'erc20' }
const eddsa = '445pK6Xbu56dGLvGoRY8m3WskAd3QChYxRmyh9nDEFjp'
const keys = { tssPubKey: '02', ecdsa: `0x${'7f'.repeat(20)}`, eddsa, reserved: 'tb1q' }

const enabled = { tokens: [usdt, usdc], disabled: false, derivationAlgorithm: 'ECDSA' }
const chain = (symbol: string, more: object = {}) => ({ symbol, ...enabled, ...more })

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
  const own = { environment: 'testnet', brand: 'acme', filter: createChainFilter(filter) } as const
  return createChainService({ ...own, chainApi, log })
}

const registryOf = (...Chain: object[]) => ({ '/chains/chain': { Chain } })

test('rejects an incomplete registry and reports the missing field', async t => {
  const withToken = (token: object) => chain('ETH', { tokens: [usdt, { ...usdc, ...token }] })
  for (const [entry, path] of [
    [withToken({ decimals: '-1' }), '/Chain/0/tokens/1/decimals'],
    [chain('ETH', { tokens: undefined }), '/Chain/0/tokens']
  ] as const) {
    const chains = await chainsWith(t, registryOf(entry))
    const error = { code: 'UPSTREAM_ERROR', message: new RegExp(`at "${path}"`) }
    await t.rejects(async () => chains.list(), error)
  }
})

test('accepts numbers as strings and null as missing values from the chain API', async t => {
  const pool = { tokenSymbol: 'USDT' }
  const huge = { index: '0', chainName: 'POL', balance: [], nativeGasAmount: '1e999999999' }
  const tokens = [{ ...usdt, decimals: 6, protocol: null, isPermit2: null, supportedLocations: null }]
  const inPool = [{ amount: 1.25e-7, ...pool, decimal: 6 }]
  const poolBalance = [{ index: 0, chainName: 'ETH', nativeGasAmount: 1e-7, balance: inPool }, huge]
  const chains = await chainsWith(t, {
    ...registryOf(chain('ETH', { tokens })),
    '/chains/pool_balance': { poolBalance },
    '/transaction/params': { params: { transferLimitMaxUSDT: 10000 } }
  })
  const { value } = await chains.list()
  t.strictSame(value[0]?.supportedTokens, [{ ...usdt, decimals: 6 }])
  const balance = [{ amount: '0.000000125', ...pool, decimal: '6' }]
  const expected = { index: '0', chainName: 'ETH', balance, nativeGasAmount: '0.0000001' }
  t.strictSame((await chains.poolBalances()).value, [expected, huge], 'a string is not a number')
  t.equal((await chains.transferLimit())?.value, '10000')
})

test('rejects pool keys without a valid address', async t => {
  for (const tssPubkey of [
    [],
    [{ ...keys, ecdsa: keys.ecdsa.slice(2) }],
    [{ ...keys, eddsa: keys.ecdsa }],
    [{ ...keys, reserved: undefined }]
  ]) {
    const chains = await chainsWith(t, {
      ...registryOf(chain('ETH'), chain('SOL'), chain('BTC')),
      '/acme/tss_pubkey': { tssPubkey },
      '/chains/pool_balance': { poolBalance: [] }
    })
    await t.rejects(async () => chains.pools(), { code: 'UPSTREAM_ERROR', message: /^chain API: / })
  }
})

test('lists each fiat rail once, and omits chains that the service does not support', async t => {
  const chains = await chainsWith(t, {
    '/chains/get_chains': { Chains: ['CC', 'FIAT', 'NEW', 'ETH'] },
    '/chains/get_available_chains/POL': { Chains: ['FIAT', 'BANK', 'NEW', 'ETH'] }
  })
  t.same((await chains.names()).value, ['CC', 'BANK', 'ETH'])
  t.same((await chains.origins('POL')).value, ['BANK', 'CC', 'ETH'])
})

test('lists only the currencies of the allowed rails for FIAT', async t => {
  const answers = {
    ...registryOf(chain('FIAT')),
    '/chains/get_currencies/FIAT/POL': { Currencies: ['USD', 'EUR', 'GBP'] }
  }
  const banksOnly = await chainsWith(t, answers, { origin: { mode: 'blacklist', chains: ['CC'] } })
  t.same((await banksOnly.currencies('FIAT', 'POL')).value, ['EUR'])
})
