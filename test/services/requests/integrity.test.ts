import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { SwapBody } from '../../../schemas/swap.ts'
import type { TransferBody } from '../../../schemas/transfer.ts'
import { type ExactAmount, unitsAt } from '../../../services/amounts.ts'
import { isObject } from '../../../services/json.ts'
import { formatQuote, type Quote, readAmount } from '../../../services/quotes/format.ts'
import { createQuoteBook } from '../../../services/quotes/quote-book.ts'
import { termsOf } from '../../../services/quotes/terms.ts'
import { createQuoteCheck } from '../../../services/requests/quote-check.ts'
import { createSqliteStore } from '../../../services/submission/store/sqlite/index.ts'
import { temporaryFolder } from '../../helpers/app.ts'
import fc from '../../helpers/fast-check.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { wallet } from '../../helpers/wallet.ts'
import { acceptance, CONTEXT, swap, transfer } from './acceptance.ts'

const TARGET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const DECIMALS = [0, 2, 6, 8, 18]
const ORIGIN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Creates submission checks that require quotes. A token's decimals are in its name: T6 has 6 decimals on every chain. */
async function strictChecks(t: Test) {
  const { log } = keepingLog()
  const store = createSqliteStore(temporaryFolder(t))
  t.teardown(() => store.close())
  const chain = { status: async () => ({ chainId: 'chain-1', height: 1 }) }
  const quotes = createQuoteBook({
    store,
    chain,
    environment: 'testnet',
    brand: 'service',
    wallet: wallet.address,
    log
  })
  const checkQuote = createQuoteCheck({
    quotes,
    isRequired: true,
    fees: { price: async () => undefined }
  })
  const accept = acceptance(symbol => Number(symbol.slice(1)), {
    checkQuote
  })
  return {
    quotes,
    submitTransfer: (body: TransferBody) => accept(body, transfer, CONTEXT),
    submitSwap: (body: SwapBody) => accept(body, swap, CONTEXT)
  }
}

/** The properties from which a quote is built. */
const offers = fc
  .record({
    decimals: fc.record({
      origin: fc.constantFrom(...DECIMALS),
      fee: fc.constantFrom(...DECIMALS),
      target: fc.constantFrom(...DECIMALS)
    }),
    amount: fc.bigInt(1n, 10n ** 30n),
    share: fc.bigInt(1n, 1000n),
    amountOut: fc.bigInt(1n, 10n ** 30n),
    // v2 writes amounts as digits with a shared `decimals`, v3 as `{ value, decimals }`.
    form: fc.constantFrom('v2' as const, 'v3' as const),
    answer: fc.constantFrom('documented' as const, 'widget' as const),
    // How the client rounds when it converts the fee to other decimals.
    rounding: fc.constantFrom('floor' as const, 'ceiling' as const),
    chargeFeeAtTarget: fc.boolean()
  })
  .map(({ share, decimals, ...rest }) => {
    const counted = rest.form === 'v2' ? { ...decimals, fee: decimals.origin } : decimals
    // The fee is below the amount and uses all decimal places of the fee's token.
    const { floor } = unitsAt({ units: rest.amount, decimals: counted.origin }, counted.fee)
    return { ...rest, decimals: counted, fee: (floor * share) / 1001n }
  })
  .filter(
    ({ amount, fee, decimals }) =>
      fee > 0n && unitsAt({ units: fee, decimals: decimals.fee }, decimals.origin).ceiling < amount
  )
type Offer = typeof offers extends { generate(...args: never[]): { value: infer O } } ? O : never

/** Builds the quote for an offer, in the fee service's format. */
function quoteOf(offer: Offer, isSwap: boolean): Quote {
  const { decimals, amount, fee, form } = offer
  const write = (units: bigint, counted: number) =>
    form === 'v2' ? String(units) : { value: String(units), decimals: counted }
  const onTop = unitsAt({ units: fee, decimals: decimals.fee }, decimals.origin).ceiling
  const side = (allowance: bigint, submitted: bigint) => ({
    allowanceAmount: write(allowance, decimals.origin),
    submitAmount: write(submitted, decimals.origin)
  })
  return {
    feeId: randomUUID(),
    ...(form === 'v2' && { decimals: decimals.origin }),
    feeTotalBigInt: write(fee, decimals.fee),
    ...(isSwap && { swapInfo: { amountOutBigInt: write(offer.amountOut, decimals.target) } }),
    transactionValues: {
      feeFromOrigin: side(amount + onTop, amount),
      ...(!isSwap && { feeFromTarget: side(amount, amount - onTop) })
    }
  }
}

/** Reads an amount from a response, with its decimals, as a client does. */
function amountIn(quote: Quote, amount: unknown): ExactAmount {
  const { value, decimals = quote.decimals } = readAmount(amount) ?? {}
  assert.ok(value !== undefined && typeof decimals === 'number')
  return { units: BigInt(value), decimals }
}

/** Builds the body that an honest client sends after its fee call. */
function honestBody(quote: Quote, offer: Offer): TransferBody {
  const { rounding, decimals } = offer
  const { feeFromOrigin, feeFromTarget } = quote.transactionValues
  const chargeFeeAtTarget = offer.chargeFeeAtTarget && feeFromTarget !== undefined
  const side = chargeFeeAtTarget ? feeFromTarget : feeFromOrigin
  assert.ok(side)
  const submitted = amountIn(quote, side.submitAmount)
  const fee = amountIn(quote, quote['feeTotalBigInt'])
  const options = { feeId: quote.feeId, signature: 'unchecked', chargeFeeAtTarget }
  return {
    originAddress: ORIGIN,
    originChain: 'ETH',
    originSymbol: `T${decimals.origin}`,
    targetAddress: TARGET,
    targetChain: 'POL',
    targetSymbol: `T${decimals.target}`,
    amount: String(submitted.units),
    fee: String(unitsAt(fee, submitted.decimals)[rounding]),
    decimals: submitted.decimals,
    options: JSON.stringify(options)
  }
}

/** Stores the quote in the fee service's format, and returns the response that the client receives. */
async function answered(
  quotes: ReturnType<typeof createQuoteBook>,
  offer: Offer,
  isSwap: boolean
): Promise<Quote> {
  const quote = quoteOf(offer, isSwap)
  const { origin, target } = offer.decimals
  const ends = {
    origin: { chain: 'ETH', address: ORIGIN, symbol: `T${origin}` },
    target: { chain: 'POL', address: TARGET, symbol: `T${target}` }
  }
  const remembered = termsOf(ends, quote, { origin, target }, Date.now())
  assert.ok(remembered)
  await quotes.remember(remembered, { client: 'shopper' })
  return formatQuote(quote, offer.answer, { origin, target }, 'fee service')
}

/** Builds the swap body. In a documented response, the amount out has the target token's decimals. */
function swapOf({ amount, ...body }: TransferBody, quote: Quote, target: number): SwapBody {
  const { swapInfo } = quote
  assert.ok(isObject(swapInfo) && 'amountOutBigInt' in swapInfo)
  const out = amountIn({ ...quote, decimals: target }, swapInfo.amountOutBigInt)
  const amounts = { amountIn: String(amount), amountOut: String(out.units), fee: String(body.fee) }
  return { ...body, ...amounts, amountOutDecimals: out.decimals, dex: 'auto', slippage: '0.005' }
}

/** Lists changes that each affect an agreed amount. */
function changesOf({ amount = 0, fee = 0, decimals }: TransferBody): Partial<TransferBody>[] {
  return [
    { amount: String(BigInt(amount) * 10_000n) },
    { amount: String(BigInt(amount) + 1n) },
    { amount: String(BigInt(amount) - 1n) },
    { fee: '0' },
    { fee: String(BigInt(fee) + 2n) },
    { fee: String(BigInt(fee) - 2n) },
    { decimals: decimals + 1 },
    { decimals: decimals - 1 }
  ]
}

/**
 * Returns whether the test skips a change. It skips a change that leaves the value unchanged, sets a zero amount or a
 * negative number, or stays within the rounding of a fee with more decimals.
 */
function isAgreed(body: TransferBody, change: Partial<TransferBody>, offer: Offer): boolean {
  const { amount, fee, decimals } = { ...body, ...change }
  if (decimals < 0 || String(fee).startsWith('-') || amount === '0') return true
  if (!('fee' in change)) return false
  return fee === body.fee || (BigInt(body.fee ?? 0) < 2n && offer.decimals.fee > offer.decimals.origin)
}

test('rejects every change to an agreed amount, and accepts every honest client', async t => {
  const { quotes, submitTransfer, submitSwap } = await strictChecks(t)
  const property = fc.asyncProperty(offers, fc.boolean(), async ({ decimals, ...offered }, isSwap) => {
    // The target token must be able to express the amount of a transfer (interface 6.7).
    const target = isSwap ? decimals.target : Math.max(decimals.origin, decimals.target)
    const offer = { ...offered, decimals: { ...decimals, target } }
    const quote = await answered(quotes, offer, isSwap)
    const body = honestBody(quote, offer)
    const swapWith = (sent: TransferBody) => swapOf(sent, quote, offer.decimals.target)
    const send = (sent: TransferBody) => (isSwap ? submitSwap(swapWith(sent)) : submitTransfer(sent))
    for (const change of changesOf(body)) {
      if (isAgreed(body, change, offer)) continue
      await assert.rejects(send({ ...body, ...change }), { statusCode: 400 }, JSON.stringify(change))
    }
    if (isSwap) {
      const other = { ...swapWith(body), amountOut: String(offer.amountOut + 1n) }
      await assert.rejects(submitSwap(other), { statusCode: 400 }, 'another amountOut')
      await assert.rejects(submitTransfer(body), { statusCode: 400 }, 'a transfer')
    }
    await send(body)
  })
  await fc.assert(property, { numRuns: 300 })
})
