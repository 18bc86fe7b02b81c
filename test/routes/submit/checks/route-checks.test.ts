import type { RegistryChain, RegistryToken } from '../../../../packages/devnet/registry/chains.ts'
import { poolKeys } from '../../../../packages/devnet/registry/pools.ts'
import { build, MAINNET, startNetwork } from '../../../helpers/app.ts'
import { withChanged } from '../../../helpers/chain-api.ts'
import { messagesOn } from '../../../helpers/oracle/index.ts'
import { test } from '../../../helpers/tap.ts'
import { cardBody, submit, swapBody } from '../../../helpers/transfer-flow.ts'

/** A wallet address of each chain family. Bitcoin addresses differ between networks: this is a testnet address. */
const WALLETS = {
  ETH: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
  SOL: 'vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg',
  TRX: 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC',
  BTC: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
}
const MAINNET_BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const TOKENS = { ETH: 'USDT', SOL: 'USDT', TRX: 'USDT', BTC: 'BTC' }
type Name = keyof typeof WALLETS
const names: Name[] = ['ETH', 'SOL', 'TRX', 'BTC']

/** Builds the body of a transfer from one chain to another. */
function between(origin: Name, target: Name, change: object = {}) {
  const { amountIn: amount, ...rest } = swapBody({
    originChain: origin,
    originSymbol: TOKENS[origin],
    originAddress: WALLETS[origin],
    targetChain: target,
    targetSymbol: TOKENS[target],
    targetAddress: WALLETS[target],
    ...change
  })
  return { ...rest, amount }
}

test('accepts wallet addresses of every chain family as origin and as target', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const pairs = names.flatMap(name => [
    ...(name === 'BTC' ? [] : [between(name, 'ETH')]),
    between('ETH', name)
  ])
  const answers = await Promise.all(pairs.map(body => submit(server, body)))
  for (const answer of answers) t.equal(answer.statusCode, 200, answer.body)
  t.equal(messagesOn(devnet).transfers.length, pairs.length)
})

/** Invalid addresses, and addresses that users might mistake for their own: token contracts, pools and programs. */
const INVALID: [Name, string][] = [
  ['ETH', '0x742d35Cc6634C0532925a3b844Bc454e4438f44E'],
  ['TRX', WALLETS.ETH],
  ['BTC', MAINNET_BITCOIN],
  ['ETH', '0xfead61696f23476c642ddf7b0afd92d0ccb9c183'],
  ['ETH', '0x7f9abfff70c64d4fa0afadffa84576d7a69d56e7'],
  ['SOL', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'],
  ['SOL', '445pK6Xbu56dGLvGoRY8m3WskAd3QChYxRmyh9nDEFjp'],
  ['SOL', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
  ['TRX', 'TYYrv8nQ9XsVbvZEYVEvhasnntEWjsbWsW'],
  ['TRX', 'TMbvCe369NL6rtqqy7sRJfe4zfBZzQDX5f'],
  ['BTC', poolKeys.reserved.toUpperCase()]
]

test('rejects an address that is not a user wallet in a quote, a transfer and a swap', async t => {
  const server = await build(t)
  for (const [name, address] of INVALID) {
    const bodies = [{ field: 'targetAddress', body: between('ETH', name, { targetAddress: address }) }]
    if (name !== 'BTC')
      bodies.push({ field: 'originAddress', body: between(name, 'ETH', { originAddress: address }) })
    for (const { field, body } of bodies) {
      const expected = { statusCode: 400, code: 'ADDRESS_INVALID', details: [{ path: `/${field}` }] }
      t.match((await submit(server, body)).json(), expected, `${address} as ${field}`)
      const swap = { ...body, amountIn: '1', amountOut: '1' }
      t.match((await submit(server, swap, { path: '/submit/swap' })).json(), expected)
      const { originAddress, originChain, originSymbol, targetAddress, targetChain, targetSymbol } = body
      const ends = { originAddress, originChain, originSymbol, targetAddress, targetChain, targetSymbol }
      const quote = await server.inject({ url: '/submit/fees', query: { ...ends, amount: '1' } })
      t.match(quote.json(), expected, `a quote with ${address} as ${field}`)
    }
  }
  t.equal((await server.inject('/tx/1/status')).statusCode, 404, 'nothing was sent to the chain')
})

test('accepts Bitcoin mainnet addresses only on mainnet', async t => {
  const server = await build(t, {
    ...MAINNET,
    SERVICE_QUOTE_CHECK: 'known',
    SERVICE_APPROVAL_CHECK: 'observe'
  })
  const own = between('ETH', 'BTC', { targetAddress: MAINNET_BITCOIN })
  t.equal(
    (await submit(server, own)).statusCode,
    503,
    'passes the checks and fails only because the wallet has no funds'
  )
  t.match((await submit(server, between('ETH', 'BTC'))).json(), { code: 'ADDRESS_INVALID' })
})

const ROUTES: [object, string, string][] = [
  [{ originChain: 'XYZ' }, 'CHAIN_UNSUPPORTED', '/originChain'],
  [{ targetChain: 'XYZ' }, 'CHAIN_UNSUPPORTED', '/targetChain'],
  [{ originChain: 'eth' }, 'CHAIN_UNSUPPORTED', '/originChain'],
  [{ targetChain: '__proto__' }, 'CHAIN_UNSUPPORTED', '/targetChain'],
  [{ originChain: 'BERA' }, 'CHAIN_UNSUPPORTED', '/originChain'],
  [{ targetChain: 'CC' }, 'CHAIN_UNSUPPORTED', '/targetChain'],
  [{ targetChain: 'BANK' }, 'CHAIN_UNSUPPORTED', '/targetChain'],
  [{ targetChain: 'FIAT' }, 'CHAIN_UNSUPPORTED', '/targetChain'],
  [{ originSymbol: 'XYZ' }, 'TOKEN_UNSUPPORTED', '/originSymbol'],
  [{ targetSymbol: 'XYZ' }, 'TOKEN_UNSUPPORTED', '/targetSymbol'],
  [{ targetSymbol: 'WBTC' }, 'TOKEN_UNSUPPORTED', '/targetSymbol'],
  [{ decimals: 18 }, 'VALIDATION', '/decimals']
]

test('rejects unsupported chains and tokens, and names the field', async t => {
  const server = await build(t)
  for (const [change, code, field] of ROUTES) {
    const transfer = { ...swapBody(change), amount: '100500000' }
    const expected = { statusCode: 400, code, details: [{ path: field }] }
    for (const path of ['/submit', '/submit/swap'])
      t.match(
        (await submit(server, transfer, { path })).json(),
        expected,
        `${JSON.stringify(change)} at ${path}`
      )
  }
  const card = await submit(server, cardBody({ originSymbol: 'EUR' }))
  t.match(card.json(), { code: 'TOKEN_UNSUPPORTED', details: [{ path: '/originSymbol' }] })
  const cents = await submit(server, cardBody({ decimals: 6 }))
  t.match(cents.json(), {
    code: 'VALIDATION',
    message: 'decimals must be at most 2, the decimals of USD on CC, for the amount 0.01005',
    details: [{ path: '/decimals' }]
  })
  t.equal((await server.inject('/tx/1/status')).statusCode, 404, 'nothing was sent to the chain')
})

test('rejects a disabled chain or rail as origin and as target', async t => {
  const disabled = () => ({ disabled: true })
  for (const [shortName, body, field] of [
    ['ETH', between('ETH', 'SOL'), '/originChain'],
    ['SOL', between('ETH', 'SOL', { originAddress: 'malformed' }), '/targetChain'],
    ['FIAT', cardBody(), '/originChain']
  ] as const) {
    const { server } = await withChanged(t, shortName, disabled)
    const expected = { statusCode: 400, code: 'CHAIN_DISABLED', details: [{ path: field }] }
    t.match((await submit(server, body)).json(), expected, shortName)
  }
  const filter = { SERVICE_CHAIN_FILTER: '{"target":{"mode":"blacklist","chains":["SOL"]}}' }
  const { server } = await withChanged(t, 'SOL', disabled, filter)
  t.match(
    (await submit(server, between('ETH', 'SOL'))).json(),
    { code: 'CHAIN_FILTERED' },
    'the filter first'
  )
})

test('rejects a target chain that the registry does not list, and a target token that can only be sent', async t => {
  const sendOnly = (token: RegistryToken) => ({ ...token, supportedLocations: ['origin' as const] })
  for (const [change, code, path] of [
    [() => ({ symbol: 'NEW' }), 'CHAIN_UNSUPPORTED', '/targetChain'],
    [({ tokens }: RegistryChain) => ({ tokens: tokens.map(sendOnly) }), 'TOKEN_UNSUPPORTED', '/targetSymbol']
  ] as const) {
    const { server } = await withChanged(t, 'POL', change)
    const answer = (await submit(server, { ...swapBody(), amount: '1' })).json()
    t.match(answer, { statusCode: 400, code, details: [{ path }] })
  }
})

test('rejects a receive-only token as origin', async t => {
  const server = await build(t)
  const weth = { originSymbol: 'WETH', amount: '1000000000000000000', decimals: 18, amountIn: undefined }
  const expected = { statusCode: 400, code: 'TOKEN_UNSUPPORTED', details: [{ path: '/originSymbol' }] }
  t.match((await submit(server, swapBody(weth))).json(), expected)
  const own = { ...weth, originChain: 'WLD' }
  t.equal(
    (await submit(server, swapBody(own))).statusCode,
    200,
    'accepted as origin if the registry allows it'
  )
  const received = {
    ...swapBody({ targetChain: 'ETH', targetSymbol: 'WETH', originChain: 'POL' }),
    amount: '1'
  }
  t.equal((await submit(server, received)).statusCode, 200, 'accepted as target')
})

test('accepts more decimals than the token has if the extra digits are zero', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const amount = (value: string) => ({ ...swapBody({ decimals: 18 }), amount: value })
  t.equal((await submit(server, amount('1000001000000000000'))).statusCode, 200)
  t.match((await submit(server, amount('1000000100000000000'))).json(), { details: [{ path: '/decimals' }] })
  t.match(messagesOn(devnet).transfers, [{ amount: '1.000001' }])
})

test('requires a Permit2 signature in the options for a Permit2 token', async t => {
  const server = await build(t)
  const from = { originChain: 'OPT', amount: '100500000', amountIn: undefined }
  const expected = { statusCode: 400, code: 'OPTIONS_INVALID', details: [{ path: '/options/permit2' }] }
  for (const permit2 of [undefined, null, '', {}]) {
    t.match((await submit(server, swapBody(from, { permit2 }))).json(), expected, JSON.stringify(permit2))
  }
  const word = `0x${'1'.repeat(64)}`
  const permit2 = { r: word, s: word, v: 27, deadline: Math.floor(Date.now() / 1000) + 900 }
  t.equal((await submit(server, swapBody(from, { permit2 }))).statusCode, 200)
})
