/** Node's own base64, which is much faster than one in JavaScript. Blocks consist mostly of it. */
export function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

/** base64, or null for no bytes, as a node writes the optional byte fields of ABCI results. */
export function base64OrNull(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? null : toBase64(bytes)
}
