import { createPrivateKey, createPublicKey } from 'node:crypto'
import { sha256, upperHex } from './hashes.ts'

const pkcs8Ed25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The one validator of a chain. */
export interface Validator {
  /** Upper-case hex. */
  address: string
  pubKey: Uint8Array
}

/** Its key is derived from the chain id, so that a chain looks the same at each start. */
export function createValidator(chainId: string): Validator {
  const key = Buffer.concat([pkcs8Ed25519, sha256('development validator of ', chainId)])
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const pubKey = Uint8Array.from(spki.subarray(-32))
  return { address: upperHex(sha256(pubKey).subarray(0, 20)), pubKey }
}
