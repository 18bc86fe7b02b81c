import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Key } from './key.ts'

/** Creates a key for EVM chains. */
export function createEvmKey(): Key {
  const account = privateKeyToAccount(generatePrivateKey())
  return { address: account.address, sign: message => account.signMessage({ message }) }
}
