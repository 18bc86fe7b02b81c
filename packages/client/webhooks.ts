import { Webhook } from 'standardwebhooks'
import type * as schemas from './openapi-webhooks.ts'

/** The types of the events by their names, such as `schemas.TransferFinished`. */
export type * as schemas from './openapi-webhooks.ts'

/**
 * A webhook event (docs/events-and-webhooks.md), discriminated by `type`. Ignore unknown types, because newer services
 * might send further types.
 */
export type WebhookEvent =
  | schemas.SubmissionCommitted
  | schemas.SubmissionRejected
  | schemas.TransferFinished
  | schemas.WalletLowBalance
  | schemas.ServiceBlocked
  | schemas.ServiceUnblocked

/** Headers from fetch, Node or a framework. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

/**
 * Verifies and parses a webhook. Works in Node, workers and browsers.
 * @param body the raw, unparsed request body
 * @param secret `whsec_…`, the service's SERVICE_WEBHOOK_SECRET
 * @throws Error when the signature is wrong, missing or more than five minutes old, or the secret is too short
 */
export function verifyWebhook(body: string, headers: WebhookHeaders, secret: string): WebhookEvent {
  // Anyone can forge signatures for an empty secret. The service requires 24 bytes, which are 32 characters.
  if (!/^whsec_.{32,}$/.test(secret))
    throw new RangeError('The secret must be whsec_ followed by at least 24 bytes in base64')
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const strings = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
  return new Webhook(secret).verify(body, strings) as WebhookEvent
}
