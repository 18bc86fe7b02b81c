import { sha256 } from '@cosmjs/crypto'
import { toHex, toUtf8 } from '@cosmjs/encoding'
import type { Signer } from '../wallet/signer.ts'

/**
 * What the wallet says of a FIAT payment's seed (contract §3, FIAT derivation).
 * @param seed UUIDv4, taken as it is written
 * @returns 128 lower-case hex digits: r‖s of the wallet's signature over sha256 of the seed, always the same
 */
export function transactionIdSignature(seed: string, { signDigest }: Pick<Signer, 'signDigest'>): string {
  return toHex(signDigest(sha256(toUtf8(seed))))
}

/**
 * The id under which a payment provider knows the payment (spec §4, GET /submit/transactionId).
 * @returns 64 lower-case hex digits: sha256 of the signature's hex text
 */
export function transactionId(seed: string, signer: Pick<Signer, 'signDigest'>): string {
  return toHex(sha256(toUtf8(transactionIdSignature(seed, signer))))
}
