import { hash } from 'node:crypto'

/** The content of a submission is its encoded message with its type (interface 7.4). */
export function contentHash(typeUrl: string, message: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from(`${typeUrl}\0`), message]), 'buffer')
}
