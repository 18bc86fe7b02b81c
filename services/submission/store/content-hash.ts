import { hash } from 'node:crypto'

/** The tag of a message's first field, where it is a text: its creator, who signs. */
const CREATOR = 0x0a

/**
 * The content of a submission is its encoded message with its type, and without its creator: the service's next wallet knows what
 * the one before it has executed (interface 7.4).
 */
export function contentHash(typeUrl: string, message: Uint8Array): Buffer {
  const [tag, length = 0] = message
  // An address has less than 128 bytes, so its length is one byte.
  const content = tag === CREATOR && length < 0x80 ? message.subarray(2 + length) : message
  return hash('sha256', Buffer.concat([Buffer.from(`${typeUrl}\0`), content]), 'buffer')
}
