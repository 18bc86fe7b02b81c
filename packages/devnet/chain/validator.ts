import { sha256, upperHex } from './hashes.ts'

/** The one validator of a chain. */
export interface Validator {
  /** Upper-case hex. */
  address: string
  pubKey: Uint8Array
}

/** Its key is derived from the chain id, so that a chain looks the same at each start. It signs nothing. */
export function createValidator(chainId: string): Validator {
  const pubKey = sha256('development validator of ', chainId)
  return { address: upperHex(sha256(pubKey).subarray(0, 20)), pubKey }
}
