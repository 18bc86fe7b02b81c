import { bech32, bech32m } from '@scure/base'
import { getAddress } from 'viem/utils'
import { isEvmAddress } from './evm.ts'

/**
 * The one spelling of an address that may be written in several: EIP-55 for EVM, lower case for bech32. An address of
 * another kind has only one and stays as it is.
 */
export function canonicalAddress(address: string): string {
  if (isEvmAddress(address)) return getAddress(address)
  const isBech32 = [bech32, bech32m].some(codec => codec.decodeUnsafe(address) !== undefined)
  return isBech32 ? address.toLowerCase() : address
}
