import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { isAddress, isOffCurveAddress } from '@solana/addresses'

/**
 * Precedes the last character in addresses of the runtime's programs and sysvars. Nobody can search for a key of such
 * an address.
 */
const OF_RUNTIME = '1'.repeat(11)

/** Token programs whose addresses are on the curve. */
const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
]

/**
 * The problem of a Solana wallet's address. An address off the curve belongs to a program: no key signs for it, and
 * tokens sent to it as to a wallet may be lost.
 */
export function solanaProblem(address: string): string | undefined {
  if (!isAddress(address)) return 'must be a Solana address: 32 bytes in base58'
  if (isOffCurveAddress(address))
    return 'must be the address of a Solana wallet, on the ed25519 curve, not of a program'
  if (isWeakKey(base58.decode(address)))
    return 'must be the address of a wallet, not a weak key for which anybody can sign'
  const isReserved = address.slice(0, -1).endsWith(OF_RUNTIME) || TOKEN_PROGRAMS.includes(address)
  return isReserved ? 'must be the address of a wallet, not of a Solana program or system account' : undefined
}

/** Whether an ed25519 key is not canonical, or of small order, so that some signatures are valid for any message. */
export function isWeakKey(key: Uint8Array): boolean {
  try {
    return ed25519.Point.fromBytes(key).isSmallOrder()
  } catch {
    return true
  }
}
