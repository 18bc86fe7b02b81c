import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { chains } from '../../../packages/devnet/registry/chains.ts'
import { type ExactAmount, unitsAt } from '../../../services/amounts.ts'
import { throughProxy } from '../../helpers/chain-api.ts'
import fc from '../../helpers/fast-check.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { quoteFor, submit } from '../../helpers/transfer-flow.ts'

const DECIMALS = [0, 2, 6, 8, 18]
const peggedTo = 'USD' as const
const tokens = DECIMALS.map(decimals => {
  const address = `0x${String(decimals + 1).padStart(40, '0')}`
  return { symbol: `T${decimals}`, decimals: String(decimals), address, peggedTo }
})
const withTokens = chains.map(chain => ({ ...chain, tokens: [...chain.tokens, ...tokens] }))

/** The properties from which a quote is built. */
const offers = fc
  .record({
    isSwap: fc.boolean(),
    origin: fc.constantFrom(...DECIMALS),
    inFee: fc.constantFrom(...DECIMALS),
    inTarget: fc.constantFrom(...DECIMALS),
    amount: fc.bigInt(1n, 10n ** 30n),
    share: fc.bigInt(1n, 1000n),
    amountOut: fc.bigInt(1n, 10n ** 30n),
    // v2 writes amounts as digits with a shared `decimals`, v3 as `{ value, decimals }`.
    form: fc.constantFrom('v2' as const, 'v3' as const),
    // How the client rounds when it converts the fee to other decimals.
    rounding: fc.constantFrom('floor' as const, 'ceiling' as const),
    chargeFeeAtTarget: fc.boolean()
  })
  .map(({ share, inFee, inTarget, ...rest }) => {
    const ofFee = rest.form === 'v2' ? rest.origin : inFee
    // The target token must be able to express the amount of a transfer (interface 6.7).
    const target = rest.isSwap ? inTarget : Math.max(rest.origin, inTarget)
    // The fee is below the amount and uses all decimal places of the fee's token.
    const { floor } = unitsAt({ units: rest.amount, decimals: rest.origin }, ofFee)
    const fee = (floor * share) / 1001n
    return {
      ...rest,
      ofFee,
      target,
      fee,
      onTop: unitsAt({ units: fee, decimals: ofFee }, rest.origin).ceiling
    }
  })
  .filter(({ amount, fee, onTop }) => fee > 0n && onTop < amount)
type Offer = typeof offers extends { generate(...args: never[]): { value: infer O } } ? O : never

/** Builds the quote for an offer, in the fee service's format. */
function quoteOf({ amount, onTop, fee, amountOut, origin, ofFee, target, form, isSwap }: Offer) {
  const write = (units: bigint, decimals: number) =>
    form === 'v2' ? String(units) : { value: String(units), decimals }
  const side = (allowance: bigint, submitted: bigint) => ({
    allowanceAmount: write(allowance, origin),
    submitAmount: write(submitted, origin)
  })
  return {
    feeId: randomUUID(),
    ...(form === 'v2' && { decimals: origin }),
    feeTotalBigInt: write(fee, ofFee),
    ...(isSwap && { swapInfo: { amountOutBigInt: write(amountOut, target) } }),
    transactionValues: {
      feeFromOrigin: side(amount + onTop, amount),
      ...(!isSwap && { feeFromTarget: side(amount, amount - onTop) })
    }
  }
}

const exact = ({ value, decimals }: { value: string; decimals: number }): ExactAmount => ({
  units: BigInt(value),
  decimals
})

/** Starts a server that requires quotes, on a chain whose tokens have their decimals in their names. */
async function start(t: Test) {
  let quote: object = {}
  const fees = await serve(t, (_request, response) => json(response, quote))
  const variables = {
    SERVICE_BACKEND_FEE_URL: fees.url,
    SERVICE_QUOTE_CHECK: 'required',
    // Its amounts have their own decimals, so a client may have to round the fee.
    SERVICE_RESPONSE_FORMAT: 'widget',
    SERVICE_SUBMIT_TIMEOUT: '0'
  }
  const registry = { Chain: withTokens, pagination: null }
  const { server } = await throughProxy(t, response => json(response, registry), variables)

  /** Requests the quote of an offer, and builds the body that an honest client sends for it. */
  async function honest(offer: Offer) {
    quote = quoteOf(offer)
    const symbols = { originSymbol: `T${offer.origin}`, targetSymbol: `T${offer.target}` }
    const { feeId, feeTotalBigInt, transactionValues, swapInfo } = await quoteFor(server, {
      ...symbols,
      amount: '1'
    })
    const chargeFeeAtTarget = offer.chargeFeeAtTarget && !offer.isSwap
    const { submitAmount } = transactionValues[chargeFeeAtTarget ? 'feeFromTarget' : 'feeFromOrigin']
    const { units, decimals } = exact(submitAmount)
    const fee = unitsAt(exact(feeTotalBigInt), decimals)[offer.rounding]
    const out = offer.isSwap ? exact(swapInfo.amountOutBigInt) : undefined
    return {
      ...symbols,
      amount: units,
      fee,
      decimals,
      amountOut: out?.units,
      amountOutDecimals: out?.decimals,
      options: JSON.stringify({ feeId, signature: 'unchecked', chargeFeeAtTarget })
    }
  }

  async function send(
    { amount, fee, amountOut, ...rest }: Awaited<ReturnType<typeof honest>>,
    isSwap: boolean
  ) {
    const own = isSwap
      ? { amountIn: String(amount), amountOut: String(amountOut), dex: 'auto', slippage: '0.005' }
      : { amount: String(amount) }
    const body = { ...ENDS, ...own, fee: String(fee), ...rest }
    return (await submit(server, body, { path: isSwap ? '/submit/swap' : '/submit' })).json()
  }
  return { honest, send }
}

const ENDS = {
  originAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
  originChain: 'ETH',
  targetAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  targetChain: 'POL'
}

test('rejects every change to an agreed amount, and accepts every honest client', async t => {
  const { honest, send } = await start(t)
  const property = fc.asyncProperty(offers, async offer => {
    const body = await honest(offer)
    const { amount, fee, decimals } = body
    // A fee may differ by the rounding of a fee with more decimals.
    const isFree = (changed: bigint) => changed === fee || (fee < 2n && offer.ofFee > offer.origin)
    const changes = [
      ...[amount * 10_000n, amount + 1n, amount - 1n]
        .filter(each => each > 0n)
        .map(each => ({ amount: each })),
      ...[0n, fee + 2n, fee - 2n].filter(each => each >= 0n && !isFree(each)).map(each => ({ fee: each })),
      ...[decimals + 1, decimals - 1].filter(each => each >= 0).map(each => ({ decimals: each })),
      ...(offer.isSwap ? [{ amountOut: offer.amountOut + 1n }] : [])
    ]
    for (const change of changes) {
      const answer = await send({ ...body, ...change }, offer.isSwap)
      assert.equal(answer.statusCode, 400, `${Object.entries(change)}: ${JSON.stringify(answer)}`)
    }
    const asOther = offer.isSwap ? body : { ...body, amountOut: amount, amountOutDecimals: decimals }
    assert.equal((await send(asOther, !offer.isSwap)).statusCode, 400, 'a swap as a transfer, or the reverse')
    const answer = await send(body, offer.isSwap)
    assert.ok(answer.submissionId, JSON.stringify(answer))
  })
  await fc.assert(property, { numRuns: 100 })
})
