import { createHash } from 'node:crypto'
import type { Signer } from '../wallet/signer.ts'

/**
 * Signs a payment's seed as written, deterministically (interface 10.10).
 * @returns 128 lower-case hex digits: r‖s of the signature over the sha256 of the seed
 */
export async function transactionIdSignature(seed: string, { sign }: Pick<Signer, 'sign'>): Promise<string> {
  return Buffer.from(await sign(Buffer.from(seed))).toString('hex')
}

/** @returns 64 lower-case hex digits: sha256 of the signature's hex string (interface 10.12) */
export async function transactionId(seed: string, signer: Pick<Signer, 'sign'>): Promise<string> {
  return createHash('sha256')
    .update(await transactionIdSignature(seed, signer))
    .digest('hex')
}
