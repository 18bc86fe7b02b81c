import { sha256 } from '@cosmjs/crypto'
import { createBase58check } from '@scure/base'

const codec = createBase58check(sha256)

/** The bytes of a base58 text whose checksum holds; undefined for any other text. */
export function decodeBase58check(text: string): Uint8Array | undefined {
  try {
    return codec.decode(text)
  } catch {
    return undefined
  }
}
