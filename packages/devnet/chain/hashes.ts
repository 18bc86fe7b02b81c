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
