import { hash } from 'node:crypto'

const LEAF = Uint8Array.of(0)
const INNER = Uint8Array.of(1)

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}

/** The root of the Merkle tree over these leaves, as CometBFT computes it (RFC 6962). */
export function merkleRoot(leaves: readonly Uint8Array[]): Buffer {
  const [first] = leaves
  if (first === undefined) return sha256(new Uint8Array())
  if (leaves.length === 1) return sha256(Buffer.concat([LEAF, first]))
  // The largest power of two that is smaller than the number of leaves.
  const split = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  return sha256(Buffer.concat([INNER, merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split))]))
}
