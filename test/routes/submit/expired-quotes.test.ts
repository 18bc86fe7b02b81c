import { build, startNetwork, type Variables } from '../../helpers/app.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { pricedFees } from '../../helpers/priced-fees.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { cardBody, quoteFor, submit, swapBody, TRANSFER } from '../../helpers/transfer-flow.ts'

const MINUTES = 60
const HOURS = 60 * MINUTES
const CARD = { originChain: 'CC', originSymbol: 'USD', originAddress: '' }
const SWAP = { targetChain: 'AVX', targetSymbol: 'EURC' }

const unknown = { statusCode: 400, code: 'QUOTE_UNKNOWN', details: [{ path: '/options/feeId' }] }
const expired = { statusCode: 400, code: 'QUOTE_EXPIRED', details: [{ path: '/options/feeId' }] }

/** Starts a server that requires quotes, with a fee service whose prices the test can change. */
async function shop(t: Test, settings: Variables = {}) {
  const devnet = await startNetwork(t)
  const fees = await pricedFees(t, devnet)
  const env = { SERVICE_QUOTE_CHECK: 'required', SERVICE_BACKEND_FEE_URL: fees.url, ...settings }
  return { devnet, fees, server: await build(t, env, { devnet }) }
}

type Server = Awaited<ReturnType<typeof build>>

/** Functions that request a quote and build a body, by kind. */
const bodies = {
  transfer: async (server: Server) =>
    ofSide(await quoteFor(server), 'feeFromOrigin', { chargeFeeAtTarget: false }),
  'transfer with fees at the target': async (server: Server) =>
    ofSide(await quoteFor(server), 'feeFromTarget', { chargeFeeAtTarget: true }),
  'transfer that chooses no side': async (server: Server) => ofSide(await quoteFor(server), 'feeFromTarget'),
  'card payment': async (server: Server) => {
    const { feeId, feeTotalBigInt: fee, transactionValues, options } = await quoteFor(server, CARD)
    return cardBody({ amount: transactionValues.feeFromOrigin.submitAmount, fee }, { feeId, ...options })
  },
  swap: async (server: Server) => {
    const { feeId, feeTotalBigInt: fee, transactionValues, swapInfo, options } = await quoteFor(server, SWAP)
    const { submitAmount: amountIn } = transactionValues.feeFromOrigin
    return swapBody({ ...SWAP, amountIn, amountOut: swapInfo.amountOutBigInt, fee }, { feeId, ...options })
  }
}

function ofSide(
  { feeId, feeTotalBigInt: fee, decimals, transactionValues, options }: Awaited<ReturnType<typeof quoteFor>>,
  side: 'feeFromOrigin' | 'feeFromTarget',
  more: object = {}
) {
  const body = { ...TRANSFER, amount: transactionValues[side].submitAmount, fee, decimals }
  return { ...body, options: JSON.stringify({ feeId, signature: '0xsigned', ...options, ...more }) }
}

const send = async (server: Server, body: object) =>
  (await submit(server, body, { path: 'amountIn' in body ? '/submit/swap' : '/submit' })).json()

test('accepts an expired quote at its own price, after one fee call, if the transfer costs no more now', async t => {
  const { devnet, fees, server } = await shop(t)
  for (const [name, bodyOf] of Object.entries(bodies)) {
    fees.prices.surcharge = 0n
    const body = await bodyOf(server)
    advanceClock(11 * MINUTES)
    fees.prices.surcharge = -1n
    const { asked } = fees
    t.match(await send(server, body), { txId: Number }, name)
    const [quoted, ...compared] = fees.bodies().slice(asked - 1)
    t.same(compared, [quoted], `${name}: one request, for the same transfer`)
  }
  const { transfers, swaps } = messagesOn(devnet)
  t.equal(transfers.length + swaps.length, Object.keys(bodies).length)
})

test('permanently rejects an expired quote if the transfer costs more now, or is paid in another way', async t => {
  const { fees, server } = await shop(t)
  for (const [kind, change] of [
    ['transfer', { surcharge: 1n }],
    ['swap', { lessOut: 1n }],
    ['swap', { lessOut: 10n ** 30n }],
    ['transfer', { lifetimeMs: -1000 }],
    ['card payment', { paymentMethod: 'debitCard' }]
  ] as const) {
    const body = await bodies[kind](server)
    advanceClock(11 * MINUTES)
    const before = { ...fees.prices }
    Object.assign(fees.prices, change)
    const { asked } = fees
    t.match(await send(server, body), expired, JSON.stringify(Object.keys(change)))
    Object.assign(fees.prices, before)
    t.match(await send(server, body), expired, 'still rejected after the price has fallen')
    t.equal(fees.asked, asked + 1)
  }
})

test('does not call the fee service for a quote that is valid, contradicted or expired for twelve hours', async t => {
  const { fees, server } = await shop(t)
  const [valid, late] = [await bodies.transfer(server), await bodies.transfer(server)]
  fees.prices.surcharge = 1n
  const { asked } = fees
  t.match(await send(server, valid), { txId: Number })
  advanceClock(11 * MINUTES)
  t.match(await send(server, { ...late, fee: '0' }), { code: 'QUOTE_MISMATCH', details: [{ path: '/fee' }] })
  advanceClock(12 * HOURS)
  t.match(await send(server, late), unknown)
  for (const invented of [cardBody(), swapBody()]) t.match(await send(server, invented), unknown)
  t.equal(fees.asked, asked)
})

test('accepts an expired quote on a retry if the fee service failed on the first attempt', async t => {
  const { devnet, fees, server } = await shop(t)
  const body = await bodies.transfer(server)
  advanceClock(11 * MINUTES)
  fees.prices.fails = true
  t.match(await send(server, body), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  fees.prices.fails = false
  t.match(await send(server, body), { txId: Number })
  t.equal(messagesOn(devnet).transfers.length, 1)
})

test('compares an expired quote, but not its price, unless quotes are required', async t => {
  const { server, fees } = await shop(t, { SERVICE_QUOTE_CHECK: 'known' })
  const body = await bodies.transfer(server)
  advanceClock(11 * MINUTES)
  fees.prices.fails = true
  t.match(await send(server, { ...body, fee: '0' }), { code: 'QUOTE_MISMATCH', details: [{ path: '/fee' }] })
  t.match(await send(server, body), { txId: Number })
})
