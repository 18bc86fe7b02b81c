import { createBase58check } from '@scure/base'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { concat, hexToBytes, keccak256, sha256, stringToBytes } from 'viem/utils'
import type { Key } from './key.ts'

const base58check = createBase58check((bytes: Uint8Array) => sha256(bytes, 'bytes'))

/** First byte of a Tron address (interface 4.19). */
const PREFIX = 0x41

/** Creates a key for Tron: an EVM key with another address format and message prefix (TIP-191). */
export function createTronKey(): Key {
  const account = privateKeyToAccount(generatePrivateKey())
  return {
    address: base58check.encode(Uint8Array.of(PREFIX, ...hexToBytes(account.address))),
    sign(message) {
      const text = stringToBytes(message)
      const prefix = stringToBytes(`\x19TRON Signed Message:\n${text.length}`)
      return account.sign({ hash: keccak256(concat([prefix, text])) })
    }
  }
}
