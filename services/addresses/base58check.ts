import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'

const codec = createBase58check(sha256)

/** Encodes bytes as base58, with their checksum behind them. */
export const encodeBase58check = codec.encode

/** Decodes a base58 text. @returns undefined when the text or its checksum is wrong */
export function decodeBase58check(text: string): Uint8Array | undefined {
  try {
    return codec.decode(text)
  } catch {
    return undefined
  }
}
