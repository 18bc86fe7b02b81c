import { sha256, upperHex } from './hashes.ts'

/** The chain's only validator. */
export interface Validator {
  /** Upper-case hex. */
  address: string
  pubKey: Uint8Array
}

/** Creates the validator. Derives its key from the chain id, so the key is the same at every start. It never signs. */
export function createValidator(chainId: string): Validator {
  const pubKey = sha256('development validator of ', chainId)
  return { address: upperHex(sha256(pubKey).subarray(0, 20)), pubKey }
}
