import { createPublicKey, verify } from 'node:crypto'
import { base58 } from '@scure/base'
import { isWeakKey } from '../../addresses/solana.ts'

/** SPKI prefix of a 32-byte ed25519 public key (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

const HEX = /^0x[0-9a-f]{128}$/i
/** The base58 encoding of 64 bytes has at most 88 characters. */
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** Parses a signature in hex with 0x, or in base58. @returns its 64 bytes; undefined for any other string */
export function readSolanaSignature(signature: string): Uint8Array | undefined {
  if (HEX.test(signature)) return Buffer.from(signature.slice(2), 'hex')
  const bytes = BASE58.test(signature) ? base58.decode(signature) : undefined
  return bytes?.length === 64 ? bytes : undefined
}

/**
 * Verifies a signature strictly, unlike ZIP 215: OpenSSL rejects an s above the order and compares the bytes of R, and
 * this function rejects weak keys.
 * @param address a valid Solana address; it is the public key
 */
export function isSolanaSignature(text: string, signature: Uint8Array, address: string): boolean {
  const bytes = base58.decode(address)
  if (isWeakKey(bytes)) return false
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' })
  return verify(null, Buffer.from(text), key, signature)
}
