import { createQuoteProofs, RENEWABLE_MS } from '../../../services/quotes/quote-proof.ts'
import { test } from '../../helpers/tap.ts'
import { wallet } from '../../helpers/wallet.ts'
import { NOW, quote } from './quote.ts'

const withMessage = (message: string) => quote('f-1', NOW, message)

test('proves every field of a quote until twelve hours after its expiry', async t => {
  const proofs = await createQuoteProofs(wallet)
  const proof = proofs.prove(withMessage('I approve — ✓'))
  t.strictSame(proofs.read(proof, NOW + RENEWABLE_MS - 1), withMessage('I approve — ✓'))
  t.equal(proofs.read(proof, NOW + RENEWABLE_MS), undefined)
  t.equal(proofs.read(`x${proof}`, NOW), undefined)
  const other = await createQuoteProofs({ sign: async () => new Uint8Array(64) })
  t.equal(other.read(proof, NOW), undefined, 'a proof of another wallet')
})

test('creates proofs short enough for a submission’s options, and none for a quote that is too long', async t => {
  const proofs = await createQuoteProofs(wallet)
  t.ok(Number(proofs.prove(withMessage('a'.repeat(2048)))?.length) < 16_384 / 2)
  const longer = withMessage('✓'.repeat(2048))
  t.equal(proofs.prove(longer), undefined)
})
