import { createHmac, type KeyObject } from 'node:crypto'

/**
 * The headers by which a receiver knows an event again and trusts it, after the Standard Webhooks specification
 * (interface 23.4).
 * @param seconds the time of this attempt, since the epoch. Receivers refuse what is minutes old
 * @param body exactly as it is sent
 */
export function signedHeaders(key: KeyObject, eventId: string, seconds: number, body: string) {
  const signature = createHmac('sha256', key).update(`${eventId}.${seconds}.${body}`).digest('base64')
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`
  }
}
