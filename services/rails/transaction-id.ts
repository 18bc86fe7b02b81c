import { createHash } from 'node:crypto'
import type { Signer } from '../wallet/signer.ts'

/**
 * The wallet's signature of a payment's seed (interface 10.10). It is deterministic.
 * @param seed UUIDv4, signed letter for letter
 * @returns 128 lower-case hex digits: r‖s of the signature over the sha256 of the seed
 */
export function transactionIdSignature(seed: string, { signDigest }: Pick<Signer, 'signDigest'>): string {
  return Buffer.from(signDigest(sha256(seed))).toString('hex')
}

/**
 * The id under which a payment provider knows the payment (interface 10.11 and 10.12).
 * @returns 64 lower-case hex digits: sha256 of the signature's hex text
 */
export function transactionId(seed: string, signer: Pick<Signer, 'signDigest'>): string {
  return sha256(transactionIdSignature(seed, signer)).toString('hex')
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
