import { Webhook } from 'standardwebhooks'
import type { components } from './openapi.ts'

type Schemas = components['schemas']

/**
 * An event of the service (docs/events-and-webhooks.md), a union on `type`. Ignore types that you do not know: a newer service
 * may have more.
 */
export type WebhookEvent =
  | Schemas['SubmissionCommitted']
  | Schemas['SubmissionRejected']
  | Schemas['TransferFinished']

/** Headers as fetch, Node or a framework has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

/**
 * Verifies a webhook and parses it. It works in Node, in workers and in browsers.
 * @param body exactly as it came, before anything parses it
 * @param secret SERVICE_WEBHOOK_SECRET of the service, or the one of several that is yours: `whsec_…`
 * @throws Error when the signature is wrong or missing, or more than five minutes old, or the secret is too short
 */
export function verifyWebhook(body: string, headers: WebhookHeaders, secret: string): WebhookEvent {
  // Anybody can sign with an empty key. The service has 24 bytes at least.
  if (!/^whsec_.{32,}$/.test(secret)) throw new RangeError('The secret must be whsec_ and 24 bytes in base64')
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const strings = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
  return new Webhook(secret).verify(body, strings) as WebhookEvent
}
