import { createQuoteProofs, RENEWABLE_MS } from '../../../services/quotes/quote-proof.ts'
import { test } from '../../helpers/tap.ts'
import { wallet } from '../../helpers/wallet.ts'

const NOW = 1_700_000_000_000

const quote = (message: string) => ({
  feeId: 'f-1',
  expiresAt: NOW,
  origin: { chain: 'ETH', address: '0x01', symbol: 'USDT' },
  target: { chain: 'POL', address: '0x02', symbol: 'USDC' },
  fee: { value: '500000', decimals: 6 },
  feeFromOrigin: { submitAmount: { value: '100500000', decimals: 6 }, message }
})

test('proves every field of a quote until twelve hours after its expiry', async t => {
  const proofs = await createQuoteProofs(wallet)
  const proof = proofs.prove(quote('I approve — ✓'))
  t.strictSame(proofs.read(proof, NOW + RENEWABLE_MS - 1), quote('I approve — ✓'))
  t.equal(proofs.read(proof, NOW + RENEWABLE_MS), undefined)
  t.equal(proofs.read(`x${proof}`, NOW), undefined)
})

test('creates proofs short enough for a submission’s options, and none for a quote that is too long', async t => {
  const proofs = await createQuoteProofs(wallet)
  t.ok(Number(proofs.prove(quote('a'.repeat(2048)))?.length) < 16_384 / 2)
  const longer = quote('✓'.repeat(2048))
  t.equal(proofs.prove(longer), undefined)
})
