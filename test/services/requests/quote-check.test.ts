import type { StoredQuote } from '../../../services/quotes/contract.ts'
import { createQuoteCheck } from '../../../services/requests/quote-check.ts'
import { test } from '../../helpers/tap.ts'
import { NOW, quote } from '../quotes/quote.ts'

const EXPIRED = quote('fee-1', NOW)

/** Submits a transfer that agrees with the stored quote. The fee service returns no price. */
function submitWith(stored: StoredQuote | 'damaged', isRequired: boolean) {
  const check = createQuoteCheck({
    quotes: {
      find: async () => stored,
      change: async (_, change) => ({ ...EXPIRED, ...change }),
      now: () => NOW
    },
    isRequired,
    fees: { price: async () => undefined }
  })
  const { origin, target, feeId } = EXPIRED
  const decimals = { value: 6, field: 'decimals' }
  const amount = { field: 'amount', whole: '100.5', decimals, assumed: false }
  const route = {
    origin: { ...origin, amount },
    target: { ...target, amount: undefined },
    permit2: undefined
  }
  const fees = { fee: '0.5', chargeFeeAtTarget: false }
  const crypto = {
    approval: undefined,
    lock: undefined,
    transactionIdSeed: undefined,
    paymentMethod: undefined
  }
  return check({ feeId, route, ...fees, ...crypto }, 6)
}

test('rejects a submission whose stored quote is damaged, even if quotes are not required', async t => {
  for (const isRequired of [true, false])
    await t.rejects(submitWith('damaged', isRequired), { code: 'QUOTE_UNKNOWN' })
})
