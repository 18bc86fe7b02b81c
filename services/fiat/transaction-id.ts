import { createHash } from 'node:crypto'
import type { Signer } from '../wallet/signer.ts'

/**
 * Signs a payment's seed with the wallet (interface 10.10). The signature is deterministic.
 * @param seed UUIDv4, signed as written
 * @returns 128 lower-case hex digits: r‖s of the signature over the sha256 of the seed
 */
export async function transactionIdSignature(seed: string, { sign }: Pick<Signer, 'sign'>): Promise<string> {
  return Buffer.from(await sign(Buffer.from(seed))).toString('hex')
}

/**
 * Returns the payment's id at the payment provider (interface 10.11 and 10.12).
 * @returns 64 lower-case hex digits: sha256 of the signature's hex string
 */
export async function transactionId(seed: string, signer: Pick<Signer, 'sign'>): Promise<string> {
  return createHash('sha256')
    .update(await transactionIdSignature(seed, signer))
    .digest('hex')
}
