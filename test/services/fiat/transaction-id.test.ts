import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { Secp256k1 } from '@cosmjs/crypto'
import { transactionId, transactionIdSignature } from '../../../services/fiat/transaction-id.ts'
import { createSigner } from '../../../services/wallet/signer.ts'
import fc from '../../helpers/fast-check.ts'
import { test } from '../../helpers/tap.ts'

/** The first phrase of the BIP-39 standard. It is public. */
const MNEMONIC = `${'abandon '.repeat(11)}about`
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

// Computed from RFC 6979 with BigInt and node:crypto's HMAC alone, by a program that also gives the known
// signature of `Satoshi Nakamoto` under the key 1.
const VECTORS = [
  {
    seed: '3f0e9a5c-7d1b-4c2e-9f86-2b8d1e5a6c70',
    signature:
      '09671a1b64970df7f78afa5c70cf5c08d26f6d63b5e43849565f010c869d497e0bc038746928c62d37a2aa188a12205972cd3ba5d8496f0f51ebb538214f9232',
    id: '138fbe484000191b83f34f3702d3daea27776a968357c74b350ed6d4ccfca561'
  },
  {
    seed: '9b2d6c1e-0f3a-4e57-8c44-d1a7b9e03f52',
    signature:
      '8d98ab8c2f636ba648668495f7ffc62aca414a2b24a355afc740060ddd99ccae1de76995456f1ada41b5df556485719c591672d58833d3de704d54f8d8e5e64d',
    id: '212f32e3536f860e340845309a800fde8039f736e494cbb4cb6f7607abf9573c'
  },
  {
    seed: '9B2D6C1E-0F3A-4E57-8C44-D1A7B9E03F52',
    signature:
      '48eb6539f67b26b96e0872641f75b161decd293ef1874b5fe009699d932c06d418f2282172c2c29a9279e46e04ca42bb54211a9cdf5fdf40edc4cf1d95364f7a',
    id: 'f4ccf7d687d5658243235f4f7182b8a9bb49a8493a4673c534ce97e06ae47d20'
  }
]

test('a seed’s signature and transaction id are those of RFC 6979', async t => {
  const signer = await createSigner({ mnemonic: MNEMONIC, prefix: 'service' })
  for (const { seed, signature, id } of VECTORS) {
    t.equal(await transactionIdSignature(seed, signer), signature)
    t.equal(await transactionId(seed, signer), id)
  }
})

test('a seed’s signature can be verified with the wallet’s public key', async t => {
  const signer = await createSigner({ mnemonic: MNEMONIC, prefix: 'service' })
  const point = Buffer.from(Secp256k1.uncompressPubkey(signer.publicKey))
  const coordinate = (start: number) => point.subarray(start, start + 32).toString('base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'secp256k1', x: coordinate(1), y: coordinate(33) }
  })
  await fc.assert(
    fc.asyncProperty(fc.uuid({ version: 4 }), async seed => {
      const signature = await transactionIdSignature(seed, signer)
      assert.match(signature, /^[0-9a-f]{128}$/)
      assert.equal(await transactionIdSignature(seed, signer), signature)
      assert.ok(BigInt(`0x${signature.slice(64)}`) <= HALF_ORDER)
      const bytes = Buffer.from(signature, 'hex')
      assert.ok(
        verify('sha256', Buffer.from(seed), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes),
        'a secp256k1 signature over sha256 of the seed'
      )
      assert.equal(await transactionId(seed, signer), createHash('sha256').update(signature).digest('hex'))
    }),
    { numRuns: 50 }
  )
  t.pass('every seed')
})
