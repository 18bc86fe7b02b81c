import { sha256 } from '@cosmjs/crypto'
import { toHex, toUtf8 } from '@cosmjs/encoding'
import type { Signer } from '../wallet/signer.ts'

/**
 * The wallet's signature of a payment's seed (interface 10.10). It is deterministic.
 * @param seed UUIDv4, signed letter for letter
 * @returns 128 lower-case hex digits: r‖s of the signature over the sha256 of the seed
 */
export function transactionIdSignature(seed: string, { signDigest }: Pick<Signer, 'signDigest'>): string {
  return toHex(signDigest(sha256(toUtf8(seed))))
}

/**
 * The id under which a payment provider knows the payment (interface 10.11 and 10.12).
 * @returns 64 lower-case hex digits: sha256 of the signature's hex text
 */
export function transactionId(seed: string, signer: Pick<Signer, 'signDigest'>): string {
  return toHex(sha256(toUtf8(transactionIdSignature(seed, signer))))
}
