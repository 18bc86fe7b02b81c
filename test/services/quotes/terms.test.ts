import type { Quote, TokenDecimals } from '../../../services/quotes/format.ts'
import { termsOf } from '../../../services/quotes/terms.ts'
import { test } from '../../helpers/tap.ts'

const NOW = 1_700_000_000_000
const ENDS = {
  origin: { chain: 'ETH', address: '0x01', symbol: 'USDT' },
  target: { chain: 'POL', address: '0x02', symbol: 'USDC' }
}
const TOKENS: TokenDecimals = { origin: 6, target: 18 }
const side = (submitAmount: string, message = 'I approve') => ({
  allowanceAmount: '1',
  submitAmount,
  message
})
const QUOTE: Quote = {
  feeId: 'f-1',
  decimals: 6,
  feeTotalBigInt: '500000',
  feeOriginGasBigInt: '1',
  expiration: new Date(NOW + 1000).toISOString(),
  transactionValues: { feeFromOrigin: side('100500000'), feeFromTarget: side('100000000', 'I approve too') }
}
/** Reads the quote from the fee service's JSON response. */
const read = (change: object = {}, tokens = TOKENS) =>
  termsOf(ENDS, JSON.parse(JSON.stringify({ ...QUOTE, ...change })), tokens, NOW)
const amount = (value: string, decimals = 6) => ({ value, decimals })

test('reads an amount in its own decimals, else in the quote’s, else in the token’s', async t => {
  t.match(read({ feeTotalBigInt: { value: '5', decimals: 1 } }), { fee: amount('5', 1) })
  const feeFromOrigin = { submitAmount: { decimals: 8 } }
  t.match(read({ decimals: 8 }), { fee: amount('500000', 8), feeFromOrigin })
  t.match(read({ decimals: undefined }), { fee: amount('500000', 6) })
  const unknown = { decimals: undefined, feeTotalBigInt: amount('5') }
  t.equal(read(unknown, { origin: undefined, target: 6 }), undefined, 'the amounts have no decimals')
})

test('computes the total fee from its parts if the total is zero or missing', async t => {
  const processing = { feeAcmeProcessingBigInt: { value: '5', decimals: 7 } }
  const parts = { feeOriginGasBigInt: '7', ...processing, feeSwapBigInt: '2' }
  t.match(read({ ...parts, feeTotalBigInt: '0' }), { fee: amount('95', 7) })
  t.match(read({ ...parts, feeTotalBigInt: undefined }), { fee: amount('95', 7) })
  t.match(read({ feeTotalBigInt: '0', feeOriginGasBigInt: undefined }), { fee: amount('0') })
  const none = { feeTotalBigInt: undefined, feeOriginGasBigInt: undefined }
  t.equal(read(none), undefined, 'the quote has no fee')
  t.equal(read({ feeTotalBigInt: '0', feeSwapBigInt: 'many' }), undefined, 'a part that is not an amount')
})

test('reads a swap’s amount out in the target token’s decimals', async t => {
  t.match(read({ swapInfo: { amountOutBigInt: '9' } }), { amountOut: amount('9', 18) })
  t.match(read({ swapInfo: { amountOutBigInt: amount('9', 2) } }), { amountOut: amount('9', 2) })
  t.equal(read({ swapInfo: { amountOutBigInt: '9' } }, { origin: 6, target: undefined }), undefined)
  for (const swapInfo of [null, {}, { amountOutBigInt: '0' }]) t.notOk(read({ swapInfo })?.amountOut)
})

test('reads an expiration in every supported notation, and defaults to 15 minutes', async t => {
  const at = NOW + 60_000
  const notations = [new Date(at).toISOString(), at, String(at), at / 1000, String(at / 1000 + 0.0004)]
  for (const expiration of notations) t.equal(read({ expiration })?.expiresAt, at, String(expiration))
  for (const expiration of [undefined, null, '', 'soon', {}, Number.NaN, 0, '0', '0001-01-01T00:00:00Z']) {
    t.equal(read({ expiration })?.expiresAt, NOW + 900_000, String(expiration))
  }
})
