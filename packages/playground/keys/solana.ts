import { base58 } from '@scure/base'
import type { Key } from './key.ts'

/** Creates a key for Solana. Fails in browsers without Ed25519, and on pages served neither from localhost nor over https. */
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
