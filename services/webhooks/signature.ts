import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/**
 * The headers by which a receiver knows an event again and trusts it, after the Standard Webhooks specification
 * (interface 23.4).
 * @param keys of the secrets; during a change of secrets two, and a receiver needs one of them
 * @param seconds the time of this attempt, since the epoch. Receivers refuse what is minutes old
 * @param body exactly as it is sent
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
 * Reads the secret of webhooks (interface 1.20): `whsec_` and the base64 of 24 to 64 bytes, as the Standard Webhooks
 * specification has it.
 * @returns undefined for a text of another form
 */
export function webhookKey(text: string): KeyObject | undefined {
  const [, base64 = ''] = /^whsec_(.*)$/s.exec(text) ?? []
  const bytes = Buffer.from(base64, 'base64')
  // Buffer.from drops what is not base64.
  const isKey = bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64
  const key = isKey ? createSecretKey(bytes) : undefined
  // Freed memory becomes that of other buffers, and a small buffer shares its memory with them from the beginning.
  bytes.fill(0)
  return key
}
