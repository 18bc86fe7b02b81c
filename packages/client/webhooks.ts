import { Webhook } from 'standardwebhooks'
import type { components } from './openapi.ts'

type Schemas = components['schemas']

/**
 * A webhook event of the service (docs/events-and-webhooks.md), a union on `type`. Ignore unknown types: a newer service may
 * have more.
 */
export type WebhookEvent =
  | Schemas['SubmissionCommitted']
  | Schemas['SubmissionRejected']
  | Schemas['TransferFinished']

/** Headers from fetch, Node or a framework. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

/**
 * Verifies and parses a webhook. Works in Node, workers and browsers.
 * @param body the raw body, before any parsing
 * @param secret the service's SERVICE_WEBHOOK_SECRET, or yours if it has several: `whsec_…`
 * @throws Error when the signature is wrong, missing or more than five minutes old, or the secret is too short
 */
export function verifyWebhook(body: string, headers: WebhookHeaders, secret: string): WebhookEvent {
  // Anybody can sign with an empty key. The service requires at least 24 bytes.
  if (!/^whsec_.{32,}$/.test(secret)) throw new RangeError('The secret must be whsec_ and 24 bytes in base64')
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const strings = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
  return new Webhook(secret).verify(body, strings) as WebhookEvent
}
