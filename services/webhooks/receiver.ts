import type { KeyObject } from 'node:crypto'
import { Pool } from 'undici'
import { systemClock } from '../clock.ts'
import { cleaned, messageOf } from '../errors/shown.ts'
import type { OutboxEvent } from '../submission/store/outbox.ts'
import { parseUpstreamUrl } from '../upstream/url.ts'
import { readRetryAfter } from './schedule.ts'
import { signedHeaders } from './signature.ts'

/** Maximum number of concurrent deliveries, each over its own connection. */
export const MAX_ATTEMPTS_AT_ONCE = 16

/** Maximum time from connecting to the response headers, in milliseconds. The reservation of an event lasts longer. */
const TIMEOUT_MS = 15_000

/** Maximum number of bytes to read of a response body, which is discarded. */
const MAX_BODY_BYTES = 16 * 1024

/** Maximum time to read the body, in milliseconds. The next delivery needs the connection. */
const BODY_MS = 1000

/** Maximum length of a detail. A certificate's name can make an error very long. */
const MAX_DETAIL = 400

export interface Outcome {
  isDelivered: boolean
  /** The status or the error, without any part of the URL except the host. */
  detail: string
  retryAfterMs?: number
}

export interface ReceiverSettings {
  /** Can contain credentials. */
  url: string
  /** The signing keys: two while a secret is being replaced. */
  keys: readonly KeyObject[]
}

export type Receiver = ReturnType<typeof createReceiver>

/** Sends webhooks to the receiver (interface 23.1). */
export function createReceiver(options: ReceiverSettings & { timeoutMs?: number }) {
  const { url, keys, timeoutMs = TIMEOUT_MS } = options
  const { pathname, search } = new URL(url)
  const { origin, headers } = parseUpstreamUrl(url)
  // Follows no redirects: the operator configured only this address.
  const pool = new Pool(origin, { connections: MAX_ATTEMPTS_AT_ONCE, connect: { timeout: timeoutMs } })

  async function post({ eventId, payload }: Pick<OutboxEvent, 'eventId' | 'payload'>): Promise<Outcome> {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await pool.request({
      method: 'POST',
      path: pathname + search,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'transaction-back-end',
        ...headers,
        ...signedHeaders(keys, eventId, Math.floor(systemClock.now() / 1000), payload)
      },
      body: payload,
      signal
    })
    const { statusCode: status } = response
    response.body.dump({ limit: MAX_BODY_BYTES, signal: AbortSignal.timeout(BODY_MS) }).catch(() => {})
    const retryAfterMs = readRetryAfter(response.headers['retry-after'], systemClock.now())
    return {
      isDelivered: status >= 200 && status < 300,
      detail: `status ${status}`,
      ...(retryAfterMs !== undefined && { retryAfterMs })
    }
  }

  return {
    /** Makes one delivery attempt (interface 23.5). Returns undefined if the receiver has been closed. */
    async send(event: Pick<OutboxEvent, 'eventId' | 'payload'>): Promise<Outcome | undefined> {
      try {
        return await post(event)
      } catch (error) {
        if (pool.destroyed) return undefined
        const isLate = error instanceof Error && error.name === 'TimeoutError'
        const detail = isLate ? `no response within ${timeoutMs / 1000} s` : messageOf(error)
        return { isDelivered: false, detail: cleaned(detail, MAX_DETAIL) }
      }
    },
    close: (): Promise<void> => pool.destroy()
  }
}
