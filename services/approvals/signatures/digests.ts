import { keccak_256 } from '@noble/hashes/sha3.js'

/** The digest of a text that an EVM wallet signs (EIP-191, `personal_sign`). */
export function evmDigest(text: string): Uint8Array {
  return prefixedDigest('\x19Ethereum Signed Message:\n', text)
}

/** The digest of a text that a Tron wallet signs (TIP-191). */
export function tronDigest(text: string): Uint8Array {
  return prefixedDigest('\x19TRON Signed Message:\n', text)
}

/** The length counts bytes. */
function prefixedDigest(prefix: string, text: string): Uint8Array {
  const bytes = Buffer.from(text)
  return keccak_256(Buffer.concat([Buffer.from(`${prefix}${bytes.length}`), bytes]))
}
