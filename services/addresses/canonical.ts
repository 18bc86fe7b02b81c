import { bech32, bech32m } from '@scure/base'
import { getAddress } from 'viem/utils'
import { isEvmAddress } from './evm.ts'

/**
 * Returns the canonical spelling of an address: EIP-55 for EVM, lower case for bech32. Other addresses have a single
 * spelling and are returned unchanged.
 */
export function canonicalAddress(address: string): string {
  if (isEvmAddress(address)) return getAddress(address)
  const isBech32 = [bech32, bech32m].some(codec => codec.decodeUnsafe(address) !== undefined)
  return isBech32 ? address.toLowerCase() : address
}

/** Returns whether two strings are spellings of the same address. */
export function isSameAddress(a: string, b: string): boolean {
  // Canonical spellings differ only in case, and most addresses are equal or unrelated.
  return a === b || (a.toLowerCase() === b.toLowerCase() && canonicalAddress(a) === canonicalAddress(b))
}
