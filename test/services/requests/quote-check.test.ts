import { createQuoteProofs } from '../../../services/quotes/quote-proof.ts'
import { createQuoteCheck } from '../../../services/requests/quote-check.ts'
import type { RequestedSubmission } from '../../../services/requests/request.ts'
import { test } from '../../helpers/tap.ts'
import { wallet } from '../../helpers/wallet.ts'
import { NOW, quote } from '../quotes/quote.ts'

test('only the caller that requested a quote may use it after the store has lost it', async t => {
  const proofs = await createQuoteProofs(wallet)
  const approved = { ...quote('fee-1'), caller: 'shop' }
  const check = createQuoteCheck({
    quotes: { find: async () => undefined, replace: async (_, next) => next, now: () => NOW },
    isRequired: true,
    fees: { price: async () => undefined },
    proofs
  })
  const { origin, target } = approved
  const decimals = { value: 6, field: 'decimals' }
  const amount = { field: 'amount', whole: '100.5', decimals, assumed: false }
  const requested = (caller: string | undefined): RequestedSubmission => ({
    feeId: 'fee-1',
    route: { origin: { ...origin, amount }, target: { ...target, amount: undefined }, hasPermit2: false },
    fee: '0.5',
    chargeFeeAtTarget: false,
    quoteProof: proofs.prove(approved),
    approval: undefined,
    transactionIdSeed: undefined,
    caller
  })
  t.match(await check(requested('shop'), 6), { caller: 'shop' })
  for (const caller of ['other', undefined])
    await t.rejects(check(requested(caller), 6), { code: 'QUOTE_UNKNOWN' })
})
