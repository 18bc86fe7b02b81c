import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/**
 * Creates the headers that identify and sign an event, as in Standard Webhooks (interface 23.4).
 * @param keys two while a secret is being replaced; a receiver needs only one of the signatures
 * @param seconds time of this attempt, in seconds since the epoch. Receivers reject events that are minutes old
 * @param body exactly as sent
 */
export function signedHeaders(keys: readonly KeyObject[], eventId: string, seconds: number, body: string) {
  const signed = `${eventId}.${seconds}.${body}`
  const signatures = keys.map(key => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' ')
  }
}

/**
 * Parses a Standard Webhooks secret, `whsec_` and the base64 of 24 to 64 bytes (interface 1.20).
 * @returns undefined for an invalid format
 */
export function webhookKey(text: string): KeyObject | undefined {
  const [, base64 = ''] = /^whsec_(.*)$/s.exec(text) ?? []
  const bytes = Buffer.from(base64, 'base64')
  // Buffer.from ignores invalid base64 characters.
  const isKey = bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64
  const key = isKey ? createSecretKey(bytes) : undefined
  // Clear the bytes: other buffers reuse freed memory, and small buffers share a memory pool.
  bytes.fill(0)
  return key
}
