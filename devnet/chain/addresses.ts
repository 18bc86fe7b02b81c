import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { sha256 } from './hashes.ts'

/** The longest text that the SDK decodes as Bech32. */
const MAX_LENGTH = 1023

/** The problem of an address, in the SDK's words; undefined for an address of this chain. */
export function addressProblem(address: string, prefix: string): string | undefined {
  if (address.trim() === '') return 'empty address string is not allowed'
  try {
    const decoded = fromBech32(address, MAX_LENGTH)
    if (decoded.prefix !== prefix) return `invalid Bech32 prefix; expected ${prefix}, got ${decoded.prefix}`
    if (decoded.data.length > 255)
      return `address max length is 255, got ${decoded.data.length}: unknown address`
    return undefined
  } catch (error) {
    return `decoding bech32 failed: ${bech32Problem(address, error)}`
  }
}

/** What the SDK's address codec says instead, where the problem is the prefix; undefined for another problem. */
export function foreignPrefix(problem: string): string | undefined {
  const [, expected, actual] = /^invalid Bech32 prefix; expected (\S+), got (\S+)$/.exec(problem) ?? []
  return expected && `hrp does not match bech32 prefix: expected '${expected}' got '${actual}'`
}

/** Why a text is no Bech32, in the words of the SDK's decoder. */
function bech32Problem(text: string, error: unknown): string {
  const separator = text.lastIndexOf('1')
  if (text.length < 8 || text.length > MAX_LENGTH) return `invalid bech32 string length ${text.length}`
  const outside = /[^!-~]/.exec(text)?.[0]
  if (outside !== undefined) return `invalid character in string: '${outside}'`
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) {
    return 'string not all lowercase or all uppercase'
  }
  if (separator < 1 || separator + 7 > text.length) return `invalid separator index ${separator}`
  const foreign = /[^qpzry9x8gf2tvdw0s3jn54khce6mua7l]/.exec(text.toLowerCase().slice(separator + 1))?.[0]
  if (foreign !== undefined) return `invalid character not part of charset: ${foreign.charCodeAt(0)}`
  const message = error instanceof Error ? error.message : String(error)
  const expected = /expected "(\w+)"/.exec(message)?.[1]
  return expected === undefined ? message : `invalid checksum (expected ${expected} got ${text.slice(-6)})`
}

/** The address of a module's own account. */
export function moduleAddress(name: string, prefix: string): string {
  return toBech32(prefix, sha256(name).subarray(0, 20))
}
