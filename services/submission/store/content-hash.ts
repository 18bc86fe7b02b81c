import { createHash } from 'node:crypto'

/** The content of a submission is its encoded message with its type (interface 7.4). */
export function contentHash(typeUrl: string, message: Uint8Array): Buffer {
  return createHash('sha256').update(typeUrl).update('\0').update(message).digest()
}
