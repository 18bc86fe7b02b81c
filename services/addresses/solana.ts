import { isAddress, isOffCurveAddress } from '@solana/addresses'

/**
 * The problem of a Solana wallet's address. An address off the curve belongs to a program: no key signs for it, and
 * tokens that are sent there as to a wallet may be lost.
 */
export function solanaProblem(address: string): string | undefined {
  if (!isAddress(address)) return 'must be a Solana address: 32 bytes in base58'
  return isOffCurveAddress(address)
    ? 'must be the address of a Solana wallet, on the ed25519 curve'
    : undefined
}
