import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { sha256 } from './hashes.ts'

/** @returns the SDK's error message, or undefined if the address is valid */
export function addressProblem(address: string, prefix: string): string | undefined {
  if (address.trim() === '') return 'empty address string is not allowed'
  try {
    const decoded = fromBech32(address)
    if (decoded.prefix === prefix) return undefined
    return `invalid Bech32 prefix; expected ${prefix}, got ${decoded.prefix}`
  } catch (error) {
    return `decoding bech32 failed: ${error instanceof Error ? error.message : error}`
  }
}

export function moduleAddress(name: string, prefix: string): string {
  return toBech32(prefix, sha256(name).subarray(0, 20))
}
