import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { isAddress, isOffCurveAddress } from '@solana/addresses'

/**
 * The problem of a Solana wallet's address. An address off the curve belongs to a program: no key signs for it, and
 * tokens that are sent there as to a wallet may be lost.
 */
export function solanaProblem(address: string): string | undefined {
  if (!isAddress(address)) return 'must be a Solana address: 32 bytes in base58'
  if (isOffCurveAddress(address)) return 'must be the address of a Solana wallet, on the ed25519 curve'
  return isWeakKey(base58.decode(address)) ? 'must not be a key for which anybody can sign' : undefined
}

/** Whether an ed25519 key is of small order, so that some signatures are valid for any text, or not canonical. */
export function isWeakKey(key: Uint8Array): boolean {
  try {
    return ed25519.Point.fromBytes(key).isSmallOrder()
  } catch {
    return true
  }
}
