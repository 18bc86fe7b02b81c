import { createQuoteProofs } from '../../../services/quotes/quote-proof.ts'
import { createQuoteCheck } from '../../../services/requests/quote-check.ts'
import type { RequestedSubmission } from '../../../services/requests/request.ts'
import { test } from '../../helpers/tap.ts'
import { wallet } from '../../helpers/wallet.ts'
import { NOW, quote } from '../quotes/quote.ts'

/** A submission that agrees with the quote. */
function requestedOf({ origin, target }: ReturnType<typeof quote>): RequestedSubmission {
  const decimals = { value: 6, field: 'decimals' }
  const amount = { field: 'amount', whole: '100.5', decimals, assumed: false }
  return {
    feeId: 'fee-1',
    route: { origin: { ...origin, amount }, target: { ...target, amount: undefined }, hasPermit2: false },
    fee: '0.5',
    chargeFeeAtTarget: false,
    quoteProof: undefined,
    approval: undefined,
    transactionIdSeed: undefined,
    caller: undefined
  }
}

test('only the caller that requested a quote may use it after the store has lost it', async t => {
  const proofs = await createQuoteProofs(wallet)
  const approved = { ...quote('fee-1'), caller: 'shop' }
  const check = createQuoteCheck({
    quotes: { find: async () => undefined, replace: async (_, next) => next, now: () => NOW },
    isRequired: true,
    fees: { price: async () => undefined },
    proofs
  })
  const requested = (caller: string | undefined) => ({
    ...requestedOf(approved),
    quoteProof: proofs.prove(approved),
    caller
  })
  t.match(await check(requested('shop'), 6), { caller: 'shop' })
  for (const caller of ['other', undefined])
    await t.rejects(check(requested(caller), 6), { code: 'QUOTE_UNKNOWN' })
})

test('rejects an expired quote if the fee service does not quote a usable price for its renewal', async t => {
  const expired = { ...quote('fee-1'), expiresAt: NOW }
  const check = createQuoteCheck({
    quotes: { find: async () => expired, replace: async (_, next) => next, now: () => NOW },
    isRequired: true,
    fees: { price: async () => undefined },
    proofs: { read: () => undefined }
  })
  await t.rejects(check(requestedOf(expired), 6), { code: 'QUOTE_EXPIRED' })
})
