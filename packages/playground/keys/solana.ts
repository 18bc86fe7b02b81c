import { base58 } from '@scure/base'
import type { Key } from './key.ts'

/** A new key for Solana. It fails in browsers that know no Ed25519, and on pages that are neither of this machine nor https. */
export async function createSolanaKey(): Promise<Key> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
  return {
    address: base58.encode(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))),
    sign: async message => {
      const signature = await crypto.subtle.sign('Ed25519', privateKey, new TextEncoder().encode(message))
      return base58.encode(new Uint8Array(signature))
    }
  }
}
