import { createHash } from 'node:crypto'

export function sha256(...parts: (Uint8Array | string)[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Formats bytes as CometBFT does. */
export function upperHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase()
}

export function txHash(bytes: Uint8Array): string {
  return upperHex(sha256(bytes))
}

const leafPrefix = Uint8Array.of(0)
const innerPrefix = Uint8Array.of(1)

/** Computes the root of an RFC 6962 Merkle tree, as CometBFT does. */
export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return sha256(leafPrefix, leaves[0] as Uint8Array)
  const split = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  return sha256(innerPrefix, merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split)))
}
