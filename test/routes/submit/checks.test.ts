import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { CustomTransValidation } from '../../../index.ts'
import { complianceAddresses } from '../../../packages/devnet/compliance/index.ts'
import { chains, type RegistryChain } from '../../../packages/devnet/registry/chains.ts'
import { poolKeys } from '../../../packages/devnet/registry/pools.ts'
import { systemClock } from '../../../services/clock.ts'
import { build, startNetwork, type Variables } from '../../helpers/app.ts'
import { stretchTimers } from '../../helpers/clock.ts'
import { json } from '../../helpers/local-server.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { t as root, type Test, test } from '../../helpers/tap.ts'
import { cardBody, quoteFor, refused, submit, swapBody, TRANSFER } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { evmUser } from '../../helpers/users.ts'
import { walletNode } from '../../helpers/wallet-node.ts'
import { throughProxy, withChanged } from '../chain-api.ts'

const SWAP = '/submit/swap'
const { sanctioned } = complianceAddresses
const { ecdsa, eddsa, reserved } = poolKeys

const devnet = await startNetwork(root)
const server = await build(root, {}, { devnet })
const sent = () => messagesOn(devnet).transfers.length + messagesOn(devnet).swaps.length

const ETHEREUM = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
const SOLANA = 'vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg'
const TRON = ['TYYrv8nQ9XsVbvZEYVEvhasnntEWjsbWsW', 'TMbvCe369NL6rtqqy7sRJfe4zfBZzQDX5f']
const ON_MAINNET = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

const body = (change: object = {}) => ({ ...swapBody(), amount: '100500000', ...change })
const post = async (sent: object, path = '/submit', to = server) => (await submit(to, sent, { path })).json()

/** A wallet on each kind of chain, and addresses of others: of pools, token contracts, and other networks. */
const ADDRESSES: [chain: string, symbol: string, wallet: string, ...others: string[]][] = [
  ['ETH', 'USDT', ETHEREUM, '0xfead61696f23476c642ddf7b0afd92d0ccb9c183', ecdsa.toLowerCase()],
  ['SOL', 'USDT', SOLANA, '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', eddsa],
  ['TRX', 'USDT', 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', ETHEREUM, ...TRON],
  ['BTC', 'BTC', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', ON_MAINNET, reserved.toUpperCase()]
]

test('accepts only a user’s address on its chain, in a submission and in a quote', async t => {
  const before = sent()
  for (const [chain, symbol, wallet, ...others] of ADDRESSES) {
    for (const end of chain === 'BTC' ? ['target'] : ['origin', 'target']) {
      const token = { [`${end}Chain`]: chain, [`${end}Symbol`]: symbol }
      const at = (address: string) => ({ ...token, [`${end}Address`]: address })
      t.match(await post(body(at(wallet))), { txId: Number }, `${end} ${chain}`)
      for (const address of others) {
        const expected = refused('ADDRESS_INVALID', `${end}Address`)
        t.match(await post(body(at(address))), expected, address)
        const quote = await server.inject({ url: '/submit/fees', query: { ...TRANSFER, ...at(address) } })
        t.match(quote.json(), expected, `a quote for ${address}`)
      }
    }
  }
  t.equal(sent(), before + 7, 'nothing else was sent to the chain')
})

const toSolana = body({ targetChain: 'SOL', targetSymbol: 'USDT', targetAddress: SOLANA })

test('rejects a chain or token that the registry does not allow on that side', async t => {
  for (const [code, field, values] of [
    ['CHAIN_UNSUPPORTED', 'originChain', ['XYZ', 'eth', 'BERA']],
    ['CHAIN_UNSUPPORTED', 'targetChain', ['XYZ', '__proto__', 'CC', 'FIAT']],
    ['TOKEN_UNSUPPORTED', 'originSymbol', ['XYZ', 'WETH']],
    ['TOKEN_UNSUPPORTED', 'targetSymbol', ['XYZ', 'WBTC']]
  ] as const)
    for (const path of ['/submit', SWAP])
      for (const value of values)
        t.match(await post(body({ [field]: value }), path), refused(code, field), `${field} ${value}`)
  const weth = { originSymbol: 'WETH', originChain: 'WLD', amount: '1000000000000000000', decimals: 18 }
  t.match(await post(body(weth)), { txId: Number }, 'a token that is only an origin there')
  const received = { targetChain: 'ETH', targetSymbol: 'WETH', originChain: 'POL' }
  t.match(await post(body({ ...received, amount: '1' })), { txId: Number }, 'and one that is only a target')
  for (const change of [{ decimals: 18 }, { decimals: 18, amount: '1000000100000000000' }])
    t.match(await post(body(change)), refused('VALIDATION', 'decimals'))
  t.match(await post(cardBody({ originSymbol: 'EUR' })), refused('TOKEN_UNSUPPORTED', 'originSymbol'))
  const message = 'decimals must be at most 2, the decimals of USD on CC, for the amount 0.01005'
  t.match(await post(cardBody({ decimals: 6 })), { ...refused('VALIDATION', 'decimals'), message })

  const changes: Record<string, (chain: RegistryChain) => Partial<RegistryChain>> = {
    SOL: () => ({ disabled: true }),
    FIAT: () => ({ disabled: true }),
    POL: () => ({ symbol: 'NEW' }),
    ARB: ({ tokens }) => ({ tokens: tokens.map(token => ({ ...token, supportedLocations: ['origin'] })) })
  }
  const changed = chains.map(chain => ({ ...chain, ...changes[chain.symbol]?.(chain) }))
  const api = await throughProxy(t, response => json(response, { Chain: changed, pagination: null }))
  for (const [sent, code, field] of [
    [body({ originChain: 'SOL', originAddress: SOLANA }), 'CHAIN_DISABLED', 'originChain'],
    [{ ...toSolana, originAddress: 'malformed' }, 'CHAIN_DISABLED', 'targetChain'],
    [cardBody({ targetChain: 'ETH' }), 'CHAIN_DISABLED', 'originChain'],
    [body(), 'CHAIN_UNSUPPORTED', 'targetChain'],
    [body({ targetChain: 'ARB' }), 'TOKEN_UNSUPPORTED', 'targetSymbol']
  ] as const)
    t.match(await post(sent, '/submit', api.server), refused(code, field))
})

test('applies separate filters to origin and target chains', async t => {
  const origin = { mode: 'whitelist', chains: ['ETH', 'CC'] }
  const filter = JSON.stringify({ origin, target: { mode: 'blacklist', chains: ['ARB', 'SOL'] } })
  const filtered = await withChanged(t, 'SOL', () => ({ disabled: true }), { SERVICE_CHAIN_FILTER: filter })
  for (const accepted of [body(), cardBody(), cardBody({ originChain: 'FIAT' })])
    t.match(await post(accepted, '/submit', filtered.server), { txId: Number })
  const bank = { originSymbol: 'EUR', targetChain: 'BASE', targetSymbol: 'EURC' }
  for (const [each, field] of [
    [body({ originChain: 'POL' }), 'originChain'],
    [body({ targetChain: 'ARB' }), 'targetChain'],
    [toSolana, 'targetChain'],
    [cardBody({ ...bank, originChain: 'BANK' }, { paymentMethod: 'sepaEur' }), 'originChain'],
    [cardBody({ ...bank, originChain: 'FIAT' }, { paymentMethod: 'sepaEur' }), 'originChain']
  ] as const) {
    const swap = { amountIn: '1', amountOut: '1', amountOutDecimals: 6 }
    for (const [path, change] of Object.entries({ '/submit': {}, [SWAP]: swap }))
      t.match(await post({ ...each, ...change }, path, filtered.server), refused('CHAIN_FILTERED', field))
  }
})

test('rejects an amount above the chain’s limit for tokens pegged to USD', async t => {
  const message = /^must be at most 10000(.00)? USDT, the largest transfer that the chain allows$/
  const above = (field: string) => refused('TRANSFER_LIMIT', field, message)
  t.match(await post(cardBody({ amount: '1000001' })), above('amount'))
  t.match(await post(cardBody({ amount: '10000.01', submitAmount: '1000001' })), above('submitAmount'))
  t.match(await post(swapBody({ amountIn: '10000000001' }), SWAP), above('amountIn'))
  t.match(await post(cardBody({ amount: '1000000' })), { txId: Number }, 'an amount equal to the limit')
  const euros = { originChain: 'BANK', originSymbol: 'EUR', amount: '1000001' }
  t.match(await post(cardBody(euros, { paymentMethod: 'sepaEur' })), { txId: Number }, 'euros')

  const toEuros = { targetChain: 'AVX', targetSymbol: 'EURC' }
  for (const [query, expected] of [
    [{ amount: '11000' }, above('amount')],
    [{ amount: '11000', ...toEuros }, above('amount')],
    [{ amount: '10000' }, { feeId: String }],
    // Within it after the fee.
    [{ amount: '10000.01' }, { feeId: String }]
  ] as const)
    t.match((await server.inject({ url: '/submit/fees', query: { ...TRANSFER, ...query } })).json(), expected)

  for (const transferLimitMaxUSDT of ['0.00', 'none', '10000.00']) {
    const api = await throughProxy(t, (response, { url }) => {
      const isLimit = url.endsWith('/params')
      json(response, isLimit ? { params: { transferLimitMaxUSDT } } : { Chain: chains, pagination: null })
    })
    const answer = await post(cardBody({ amount: '1000001' }), '/submit', api.server)
    t.match(answer, transferLimitMaxUSDT === '10000.00' ? above('amount') : { txId: Number })
  }
})

test('rejects a transfer from or to a sanctioned address with 403', async t => {
  const before = sent()
  for (const fields of [['originAddress'], ['targetAddress'], ['originAddress', 'targetAddress']]) {
    const change = Object.fromEntries(fields.map(field => [field, sanctioned]))
    t.match(await post(body(change)), {
      statusCode: 403,
      code: 'NOT_COMPLIANT',
      error: 'Forbidden',
      message: `compliance requirements not met by ${fields.join(' and ')}`,
      details: fields.map(field => ({ path: `/${field}` }))
    })
  }
  t.equal(sent(), before)
  t.match(await post(cardBody({ originAddress: sanctioned })), { txId: Number }, 'a card has no origin')
})

/** Each check in order (interface 6.16): what fails it, what then passes it, and the expected error. */
type Check = [broken: object, mended: object, code: string, field?: string]

async function checksOf(
  own: FastifyInstance,
  target: { targetChain: string; targetSymbol: string }
): Promise<Check[]> {
  const user = evmUser()
  async function quoted(targetAddress: string) {
    const quote = await quoteFor(own, { originAddress: user.address, targetAddress, ...target })
    const { feeId, feeTotalBigInt: fee, swapInfo, transactionValues } = quote
    const { submitAmount: amount, message } = transactionValues.feeFromOrigin
    const options = (signature: string) => JSON.stringify({ feeId, signature })
    const amounts = { amount, amountIn: amount, amountOut: swapInfo?.amountOutBigInt ?? '1', fee }
    return { amounts, forged: options('0xsigned'), signed: options(await user.sign(message)) }
  }
  const [bad, good] = [await quoted(sanctioned), await quoted(TRANSFER.targetAddress)]
  const { targetChain, targetSymbol } = target
  const compliant = { targetAddress: TRANSFER.targetAddress, ...good.amounts, options: good.signed }
  return [
    [{ targetSymbol: 7 }, { targetSymbol: 'XYZ' }, 'VALIDATION'],
    [{ options: '{}' }, { options: bad.forged }, 'OPTIONS_INVALID', 'options/feeId'],
    [{ targetChain: 'XYZ' }, { targetChain }, 'CHAIN_UNSUPPORTED', 'targetChain'],
    [{ originChain: 'ARB' }, { originChain: 'ETH' }, 'CHAIN_FILTERED', 'originChain'],
    [{ originAddress: '0x1' }, { originAddress: user.address }, 'ADDRESS_INVALID', 'originAddress'],
    [{}, { targetSymbol }, 'TOKEN_UNSUPPORTED', 'targetSymbol'],
    [{ amount: '10000000001', amountIn: '10000000001' }, { ...bad.amounts, fee: '1' }, 'TRANSFER_LIMIT'],
    [{ fee: '1' }, bad.amounts, 'QUOTE_MISMATCH', 'fee'],
    [{}, { options: bad.signed }, 'APPROVAL_INVALID', 'options/signature'],
    [{ dex: 'bad' }, { dex: 'good' }, 'CUSTOM_VALIDATION'],
    [{ targetAddress: sanctioned }, compliant, 'NOT_COMPLIANT', 'targetAddress'],
    // The test corrects it, because it is not in the body.
    [{}, {}, 'APPROVAL_MISSING', 'originAddress']
  ]
}

test('reports the first check that fails', async t => {
  const hooks = fp(async app => {
    const validation: CustomTransValidation = ({ body }) => (Object(body).dex === 'good' ? '' : 'not here')
    app.decorate('customTransValidation', validation)
  })
  const { url, node } = await walletNode(t)
  const settings = {
    SERVICE_EVM_RPC: JSON.stringify({ ETH: url }),
    SERVICE_SUBMIT_TIMEOUT: '400',
    SERVICE_APPROVAL_CHECK: 'enforce',
    SERVICE_CHAIN_FILTER: JSON.stringify({ origin: { mode: 'blacklist', chains: ['ARB'] } })
  }
  const own = await build(t, settings, { hooks })
  for (const [path, target] of [
    ['/submit/transfer', { targetChain: 'POL', targetSymbol: 'USDC' }],
    [SWAP, { targetChain: 'AVX', targetSymbol: 'EURC' }]
  ] as const) {
    node.allowance = () => 0n
    const checks = await checksOf(own, target)
    let current: object = Object.assign(swapBody(), ...checks.toReversed().map(([broken]) => broken))
    for (const [, mended, code, field] of checks) {
      t.match(await post(current, path, own), { code, ...(field && { details: [{ path: `/${field}` }] }) })
      current = { ...current, ...mended }
    }
    node.allowance = () => 2n ** 255n
    t.match(await post(current, path, own), { submissionId: /./ }, 'all corrected')
  }
})

/** Builds a server whose validations wait until the test gives their verdicts. */
async function withValidations(t: Test, settings: Variables = {}) {
  const pending: ((verdict: string) => void)[] = []
  const waiting: CustomTransValidation = () => new Promise(resolve => void pending.push(resolve))
  const hooks = fp(async app => void app.decorate('customTransValidation', waiting))
  return { pending, own: await build(t, settings, { hooks }) }
}

test('limits pending requests for a payment to 33, and validations to 1,024', async t => {
  stretchTimers(t)
  const { pending, own } = await withValidations(t, { SERVICE_SUBMIT_TIMEOUT: '0' })
  const busy = { statusCode: 503, code: 'UPSTREAM_BUSY' }
  const feeId = 'of-every-payment'
  const same = cardBody({}, { feeId })
  const requests = Array.from({ length: 33 }, () => post(same, '/submit', own))
  await until(() => pending.length === 1, 'the first validation has started')
  const oneMore = post(same, '/submit', own)
  for (let others = 1; others < 1024; others += 1) {
    requests.push(post(cardBody({}, { feeId }), '/submit', own))
    // More at a time would overload the server.
    if (others % 33 === 0) await until(() => pending.length > others, 'their validations have started')
  }
  const another = await submit(own, cardBody())
  t.match(another, { statusCode: 503, headers: { 'retry-after': '1' } })
  t.match(another.json(), busy)
  for (const answer of pending.splice(0)) answer('')
  t.match(await oneMore, busy)
  const ids = (await Promise.all(requests)).map(({ submissionId }) => submissionId)
  t.notOk(ids.includes(undefined))
  t.equal(new Set(ids).size, 1024)
  const next = post(cardBody(), '/submit', own)
  await until(() => pending.length === 1, 'the next validation has started')
  pending[0]?.('not to us')
  t.match(await next, { code: 'CUSTOM_VALIDATION' })
})

test('a request waits 30 seconds for an earlier one with its feeId', async t => {
  const { pending, own } = await withValidations(t)
  const { after } = systemClock
  systemClock.after = (ms, action) => after(ms === 30_000 ? 100 : ms, action)
  t.teardown(() => Object.assign(systemClock, { after }))
  const same = cardBody()
  const first = post(same, '/submit', own)
  await until(() => pending.length === 1, 'the first validation has started')
  t.match(await post(same, '/submit', own), { statusCode: 503, code: 'UPSTREAM_BUSY' })
  pending[0]?.('')
  t.match(await first, { txId: Number })
})
