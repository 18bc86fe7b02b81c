import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'

/** Addresses of Solana's built-in programs and sysvars end in eleven ones and another character. */
const OF_RUNTIME = '1'.repeat(11)

/** The token programs. Their addresses are on the curve, so the check of the curve does not find them. */
const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
]

/**
 * Returns what is wrong with the address of a Solana wallet, or undefined. An address off the curve belongs to a
 * program: no key can sign for it, so tokens sent there might be lost.
 */
export function solanaProblem(address: string): string | undefined {
  const key = solanaKey(address)
  if (key === undefined) return 'must be a Solana address: 32 bytes in base58'
  const point = pointOf(key)
  if (point === undefined)
    return 'must be the address of a Solana wallet, on the ed25519 curve, not of a program'
  if (point.isSmallOrder())
    return 'must be the address of a wallet, not a weak key, for which anybody can sign'
  const isReserved = address.slice(0, -1).endsWith(OF_RUNTIME) || TOKEN_PROGRAMS.includes(address)
  return isReserved ? 'must be the address of a wallet, not of a Solana program or system account' : undefined
}

/** Returns the 32 bytes of a Solana address; undefined for any other string. */
export function solanaKey(address: string): Uint8Array | undefined {
  try {
    const bytes = base58.decode(address)
    return bytes.length === 32 ? bytes : undefined
  } catch {
    return undefined
  }
}

/** Returns true for keys of small order, whose signatures anyone can forge, and for invalid curve points. */
export const isWeakKey = (key: Uint8Array): boolean => pointOf(key)?.isSmallOrder() ?? true

function pointOf(key: Uint8Array) {
  try {
    return ed25519.Point.fromBytes(key)
  } catch {
    return undefined
  }
}
