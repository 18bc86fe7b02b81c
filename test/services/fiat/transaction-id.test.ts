import { transactionId, transactionIdSignature } from '../../../services/fiat/transaction-id.ts'
import { createSigner } from '../../../services/wallet/signer.ts'
import { test } from '../../helpers/tap.ts'

/** The first test phrase from the BIP-39 standard. It is public. */
const MNEMONIC = `${'abandon '.repeat(11)}about`

// Computed by an independent RFC 6979 implementation that uses only BigInt and node:crypto's HMAC. It also
// reproduces the known signature of `Satoshi Nakamoto` under private key 1.
const SEED = '9B2D6C1E-0F3A-4E57-8C44-D1A7B9E03F52'
const SIGNATURE =
  '48eb6539f67b26b96e0872641f75b161decd293ef1874b5fe009699d932c06d418f2282172c2c29a9279e46e04ca42bb54211a9cdf5fdf40edc4cf1d95364f7a'
const ID = 'f4ccf7d687d5658243235f4f7182b8a9bb49a8493a4673c534ce97e06ae47d20'

test('derives a seed’s signature and transaction id with RFC 6979', async t => {
  const signer = await createSigner({ mnemonic: MNEMONIC, prefix: 'service' })
  t.equal(await transactionIdSignature(SEED, signer), SIGNATURE)
  t.equal(await transactionId(SEED, signer), ID)
})
