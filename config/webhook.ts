import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Static } from '@sinclair/typebox'
import type { ConfigSchema } from './schema.ts'

/** Where webhooks go, and the key that signs them. */
export interface Webhook {
  /** May carry credentials and keys, as the URL of an upstream may (interface 1.9). */
  readonly url: string
  readonly key: KeyObject
}

const PREFIX = 'whsec_'

/** The lengths of a key in bytes, by the Standard Webhooks specification. */
const SHORTEST = 24
const LONGEST = 64

/**
 * Reads the secret of webhooks (interface 1.20), whose form is that of the Standard Webhooks specification.
 * @returns undefined for a text of another form
 */
export function webhookKey(text: string): KeyObject | undefined {
  if (!text.startsWith(PREFIX)) return undefined
  const base64 = text.slice(PREFIX.length)
  const bytes = Buffer.from(base64, 'base64')
  // Buffer.from drops what is not base64.
  const isKey = bytes.toString('base64') === base64 && bytes.length >= SHORTEST && bytes.length <= LONGEST
  const key = isKey ? createSecretKey(bytes) : undefined
  // Freed memory becomes that of other buffers, and a small buffer shares its memory with them from the beginning.
  bytes.fill(0)
  return key
}

/** @returns undefined without webhooks */
export function webhookOf(settings: Static<typeof ConfigSchema>): Webhook | undefined {
  const { SERVICE_WEBHOOK_URL: url, SERVICE_WEBHOOK_SECRET: secret } = settings
  const key = secret === undefined ? undefined : webhookKey(secret)
  return url === undefined || key === undefined ? undefined : { url, key }
}
