import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'

const codec = createBase58check(sha256)

export const encodeBase58check = codec.encode

export function decodeBase58check(text: string): Uint8Array | undefined {
  try {
    return codec.decode(text)
  } catch {
    return undefined
  }
}
