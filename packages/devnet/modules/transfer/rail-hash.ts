import { sha512 } from '@cosmjs/crypto'
import { toHex, toUtf8 } from '@cosmjs/encoding'
import { base58 } from '@scure/base'
import { findChain } from '../../registry/index.ts'

/**
 * Creates a deterministic transaction hash in an outside chain's format: 0x and 64 hex digits for EVM chains, a base58
 * signature for Solana, 64 hex digits for others.
 */
export function railHash(shortName: string, purpose: 'pull' | 'release' | 'refund', id: number): string {
  const digest = sha512(toUtf8(`${shortName} ${purpose} ${id}`))
  if (shortName === 'SOL') return base58.encode(digest)
  const hex = toHex(digest.slice(0, 32))
  return findChain(shortName)?.isEvm === true ? `0x${hex}` : hex
}
