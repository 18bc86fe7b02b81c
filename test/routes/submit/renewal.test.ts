import { build, startNetwork, untilReady } from '../../helpers/app.ts'
import { advanceClock } from '../../helpers/clock.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { pricedFees } from '../../helpers/priced-fees.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { cardBody, quoteFor, submit, swapBody, TRANSFER, transferBody } from '../../helpers/transfer-flow.ts'

const MINUTES = 60
const HOURS = 60 * MINUTES
const CARD = { originChain: 'CC', originSymbol: 'USD', originAddress: '' }
const SWAP = { targetChain: 'AVX', targetSymbol: 'EURC' }

const unknown = { statusCode: 400, code: 'QUOTE_UNKNOWN', details: [{ path: '/options/feeId' }] }
const expired = { statusCode: 400, code: 'QUOTE_EXPIRED', details: [{ path: '/options/feeId' }] }

/** Starts a server that requires quotes, with a fee service whose prices the test can change. */
async function shop(t: Test) {
  const devnet = await startNetwork(t)
  const fees = await pricedFees(t, devnet)
  const settings = { SERVICE_QUOTE_CHECK: 'required', SERVICE_BACKEND_FEE_URL: fees.url }
  /** Starts a server with an empty store, as if the previous store had been lost. */
  const start = async () => {
    const server = await build(t, settings, { devnet })
    await untilReady(server)
    return server
  }
  return { devnet, fees, start, server: await start() }
}

type Server = Awaited<ReturnType<typeof build>>

const withOptions = <B extends { options: string }>(body: B, options: object): B => ({
  ...body,
  options: JSON.stringify({ ...JSON.parse(body.options), ...options })
})

/** Functions that request a quote and build a body, by kind. Like the widget, they include the quote's options. */
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

test('renews an expired quote with one fee call, and accepts the submission if the new quote costs no more', async t => {
  const { fees, server } = await shop(t)
  for (const [name, bodyOf] of Object.entries(bodies)) {
    const body = await bodyOf(server)
    advanceClock(11 * MINUTES)
    const { asked } = fees
    const { options, ...rest } = body
    const { quoteProof, ...kept } = JSON.parse(options)
    t.type(quoteProof, 'string', name)
    t.match(
      await send(server, { ...rest, options: JSON.stringify(kept) }),
      { txId: Number },
      `${name} without its quote proof`
    )
    const [quoted, ...renewals] = fees.bodies().slice(asked - 1)
    t.same(renewals, [quoted], `${name}: one request, for the same transfer`)
  }
})

test('renews a quote that is missing from the store if the options contain its proof', async t => {
  const { devnet, fees, start, server } = await shop(t)
  const { 'transfer that chooses no side': _unclear, ...clear } = bodies
  const sent: [string, object][] = []
  for (const [name, bodyOf] of Object.entries(clear)) sent.push([name, await bodyOf(server)])
  const after = await start()
  fees.prices.surcharge = -1n
  advanceClock(11 * MINUTES)
  for (const [name, body] of sent) t.match(await send(after, body), { txId: Number }, name)
  const { transfers, swaps } = messagesOn(devnet)
  t.equal(transfers.length + swaps.length, sent.length)
  for (const { options } of [...transfers, ...swaps])
    t.notMatch(options, /quoteProof/, 'the proof is not sent to the chain')
})

test('accepts an unexpired quote that is missing from the store, and does not call the fee service', async t => {
  const { fees, start, server } = await shop(t)
  const body = await bodies.transfer(server)
  fees.prices.surcharge = 1n
  const after = await start()
  const { asked } = fees
  t.match(await send(after, body), { txId: Number })
  t.equal(fees.asked, asked)
})

test('rejects a quote missing from the store if its proof is invalid or it expired over twelve hours ago', async t => {
  const { fees, start, server } = await shop(t)
  const body = await bodies.transfer(server)
  const { quoteProof } = (await quoteFor(server)).options
  const { quoteProof: own } = JSON.parse(body.options)
  const [text, mac] = own.split('.')
  const longer = { ...JSON.parse(Buffer.from(text, 'base64url').toString()), expiresAt: 1e15 }
  const forged = Buffer.from(JSON.stringify(longer)).toString('base64url')
  const after = await start()
  const { asked } = fees
  for (const proof of [undefined, '', {}, quoteProof, `${forged}.${mac}`, `${text}.`, `${own}A`]) {
    t.match(await send(after, withOptions(body, { quoteProof: proof })), unknown, String(proof).slice(-50))
  }
  for (const invented of [cardBody(), swapBody()]) t.match(await send(after, invented), unknown)
  advanceClock(12 * HOURS + 11 * MINUTES)
  t.match(await send(after, body), unknown)
  t.match(await send(server, body), unknown, 'the server that issued the quote rejects it too')
  t.equal(fees.asked, asked, 'the fee service is not called')
})

test('rejects an expired quote permanently if its renewal costs more', async t => {
  const { fees, start, server } = await shop(t)
  const after = await start()
  for (const isLost of [false, true]) {
    for (const change of [
      { surcharge: 1n },
      { lessOut: 1n },
      { lessOut: 10n ** 30n },
      { lifetimeMs: -1000 }
    ]) {
      const body = await ('lessOut' in change ? bodies.swap : bodies.transfer)(server)
      const at = isLost ? after : server
      advanceClock(11 * MINUTES)
      const before = { ...fees.prices }
      Object.assign(fees.prices, change)
      const { asked } = fees
      t.match(await send(at, body), expired, JSON.stringify(Object.keys(change)))
      Object.assign(fees.prices, before)
      t.match(await send(at, body), expired, 'still rejected after the price has fallen')
      advanceClock(HOURS)
      t.match(await send(at, body), expired)
      t.equal(fees.asked, asked + 1)
    }
  }
})

test('does not renew a quote if the submission contradicts it', async t => {
  const { fees, start, server } = await shop(t)
  const body = await bodies.transfer(server)
  advanceClock(11 * MINUTES)
  const { asked } = fees
  t.match(await send(server, { ...body, fee: '0' }), { code: 'QUOTE_MISMATCH', details: [{ path: '/fee' }] })
  t.equal(fees.asked, asked)
  const after = await start()
  const mismatch = { code: 'QUOTE_MISMATCH', details: [{ path: '/amount' }] }
  t.match(
    await send(after, { ...body, amount: '1000000' }),
    mismatch,
    'also rejected if the quote is missing from the store'
  )
  t.equal(fees.asked, asked)
})

test('renews a quote on a retry if the fee service failed on the first attempt', async t => {
  const { devnet, fees, server } = await shop(t)
  const body = await bodies.transfer(server)
  advanceClock(11 * MINUTES)
  fees.prices.fails = true
  t.match(await send(server, body), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  fees.prices.fails = false
  t.match(await send(server, body), { txId: Number })
  t.equal(messagesOn(devnet).transfers.length, 1)
})

test('sends proofs only if quotes are required', async t => {
  const server = await build(t)
  t.notOk((await quoteFor(server)).options?.quoteProof)
  const body = await transferBody(server)
  advanceClock(11 * MINUTES)
  t.match(await send(server, { ...body, fee: '0' }), { txId: Number }, 'an expired quote is not compared')
})
