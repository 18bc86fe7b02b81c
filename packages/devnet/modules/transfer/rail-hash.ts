import { sha512 } from '@cosmjs/crypto'
import { toHex, toUtf8 } from '@cosmjs/encoding'
import { base58 } from '@scure/base'
import { findChain } from '../../registry/index.ts'

/**
 * The hash of a transaction on an outside chain, in that chain's form: 0x and 64 hex digits on EVM chains, a
 * base58 signature on Solana, 64 hex digits elsewhere. It depends only on its arguments, so runs are comparable.
 */
export function railHash(shortName: string, purpose: 'pull' | 'release' | 'refund', id: number): string {
  const digest = sha512(toUtf8(`${shortName} ${purpose} ${id}`))
  if (shortName === 'SOL') return base58.encode(digest)
  const hex = toHex(digest.slice(0, 32))
  return findChain(shortName)?.isEvm === true ? `0x${hex}` : hex
}
