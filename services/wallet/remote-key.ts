import { createPublicKey } from 'node:crypto'
import { encodeSecp256k1Pubkey, encodeSecp256k1Signature, pubkeyToAddress } from '@cosmjs/amino'
import { Secp256k1, sha256 } from '@cosmjs/crypto'
import { makeSignBytes, type OfflineDirectSigner } from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'

export interface RemoteKey {
  /** The public key: SPKI as PEM or DER. */
  readonly spki: string | Uint8Array
  /** Signs a SHA-256 digest. @returns the signature, ASN.1 DER */
  sign(digest: Uint8Array): Promise<Uint8Array>
}

/** Returns a public key as 33 bytes. @throws Error if it is not a secp256k1 key */
function compressedKey(spki: RemoteKey['spki']): Uint8Array {
  const key =
    typeof spki === 'string'
      ? createPublicKey(spki)
      : createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  if (key.asymmetricKeyDetails?.namedCurve !== 'secp256k1') throw new Error('not a secp256k1 key')
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const point = [x, y].map(coordinate => Buffer.from(coordinate, 'base64url'))
  return Secp256k1.compressPubkey(Buffer.concat([Uint8Array.of(4), ...point]))
}

/**
 * Converts a signature to r‖s, 64 bytes. Key services often return a high s, which chains reject; n − s is equally valid.
 * @throws Error unless the input is the DER of two numbers between 0 and the curve's order
 */
function fromDer(der: Uint8Array): Uint8Array {
  const { Signature, Point } = secp256k1
  const signature = Signature.fromBytes(der, 'der')
  const { r, s } = signature
  return (signature.hasHighS() ? new Signature(r, Point.Fn.ORDER - s) : signature).toBytes('compact')
}

/** Creates a Cosmos signer that uses a key in a key service. @throws Error if it is not a secp256k1 key */
export function keySigner({ spki, sign }: RemoteKey, prefix: string): OfflineDirectSigner {
  const pubkey = compressedKey(spki)
  const address = pubkeyToAddress(encodeSecp256k1Pubkey(pubkey), prefix)
  return {
    getAccounts: async () => [{ address, pubkey, algo: 'secp256k1' }],
    async signDirect(_address, signed) {
      const signature = fromDer(await sign(sha256(makeSignBytes(signed))))
      return { signed, signature: encodeSecp256k1Signature(pubkey, signature) }
    }
  }
}
