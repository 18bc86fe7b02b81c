import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { bech32 } from '@scure/base'
import { derivePrivateKey, publicKeyOf } from './derivation.ts'
import { mnemonicProblem } from './mnemonic.ts'

/** The service's wallet (interface 17.1). No property leads to the private key; only the sign functions hold it. */
export interface Signer {
  /** Bech32 address on the chain. */
  address: string
  /** Compressed secp256k1 public key, 33 bytes. */
  publicKey: Uint8Array
  /** Signs the SHA-256 of a document, as the chain expects it of a transaction. @returns as `signDigest` */
  sign(document: Uint8Array): Promise<Uint8Array>
  /**
   * Signs a 32-byte digest: 64 bytes r‖s of the deterministic (RFC 6979) low-s secp256k1 signature.
   * @throws RangeError for a digest of another length
   */
  signDigest(digest: Uint8Array): Uint8Array
}

/**
 * Derives the wallet of a BIP-39 phrase without a passphrase at m/44'/118'/0'/0/0 (interface 17.1).
 * @throws Error when the phrase is not valid; the text holds no word of it
 */
export async function createSigner(options: { mnemonic: string; prefix: string }): Promise<Signer> {
  const { mnemonic, prefix } = options
  if (mnemonicProblem(mnemonic) !== undefined) {
    throw new Error('The mnemonic is not a valid English BIP-39 phrase')
  }
  const key = await derivePrivateKey(mnemonic)
  const publicKey = publicKeyOf(key)

  function signDigest(digest: Uint8Array): Uint8Array {
    if (digest.length !== 32) throw new RangeError('A digest has 32 bytes')
    return secp256k1.sign(digest, key, { prehash: false, lowS: true })
  }

  return {
    address: bech32.encode(prefix, bech32.toWords(ripemd160(sha256(publicKey)))),
    publicKey,
    sign: async document => signDigest(sha256(document)),
    signDigest
  }
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}
