import type { KeyObject } from 'node:crypto'
import { Pool } from 'undici'
import { type Clock, systemClock } from '../clock.ts'
import type { OutboxEvent } from '../submission/store/outbox.ts'
import { isTimeout } from '../upstream/errors.ts'
import { parseUpstreamUrl } from '../upstream/url.ts'
import { readRetryAfter } from './schedule.ts'
import { signedHeaders } from './signature.ts'

/** The most deliveries that are under way; each has a connection. */
export const MOST_AT_ONCE = 16

/** From connecting to the status of the answer. An event is reserved for longer. */
const TIMEOUT_MS = 15_000

/** More of an answer's body is not read: nobody looks at it. */
const MOST_BODY_BYTES = 16 * 1024

/** Nor is it waited for any longer: the next delivery needs the connection. */
const BODY_MS = 1000

/** A name in a certificate can make an error as long as the certificate. It goes into the store and the log. */
const MOST_DETAIL = 500

/** `refused`: any status outside 2xx. `failed`: no answer, or none that is HTTP. */
export type DeliveryResult = 'delivered' | 'refused' | 'timeout' | 'failed'

/** How an attempt ended. */
export interface Outcome {
  result: DeliveryResult
  /** The status or the error, for the log. It has nothing of the URL but its host. */
  detail: string
  /** How long the receiver asks to be left alone. */
  retryAfterMs?: number
}

export type Receiver = ReturnType<typeof createReceiver>

/**
 * The back end that gets the webhooks (interface 23.1).
 * @param options.url may have credentials; it is used as it is
 */
export function createReceiver(options: {
  url: string
  keys: readonly KeyObject[]
  clock?: Pick<Clock, 'now'>
  timeoutMs?: number
}) {
  const { url, keys, clock = systemClock, timeoutMs = TIMEOUT_MS } = options
  const { pathname, search } = new URL(url)
  const { origin, headers, scrub } = parseUpstreamUrl(url)
  // A redirect is not followed: the operator has named this address and no other.
  const pool = new Pool(origin, { connections: MOST_AT_ONCE, connect: { timeout: timeoutMs } })

  async function post({ eventId, payload }: Pick<OutboxEvent, 'eventId' | 'payload'>): Promise<Outcome> {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await pool.request({
      method: 'POST',
      path: pathname + search,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'transaction-back-end',
        ...headers,
        ...signedHeaders(keys, eventId, Math.floor(clock.now() / 1000), payload)
      },
      body: payload,
      signal
    })
    const { statusCode: status } = answer
    // The status decides; the body only has to be out of the way.
    answer.body.dump({ limit: MOST_BODY_BYTES, signal: AbortSignal.timeout(BODY_MS) }).catch(() => {})
    const retryAfterMs = readRetryAfter(answer.headers['retry-after'], clock.now())
    return {
      result: status >= 200 && status < 300 ? 'delivered' : 'refused',
      detail: `status ${status}`,
      ...(retryAfterMs !== undefined && { retryAfterMs })
    }
  }

  return {
    /** Makes one attempt (interface 23.5). @returns undefined when the receiver was closed meanwhile */
    async send(event: Pick<OutboxEvent, 'eventId' | 'payload'>): Promise<Outcome | undefined> {
      try {
        return await post(event)
      } catch (error) {
        if (pool.destroyed) return undefined
        const detail = scrub(error instanceof Error ? error.message : String(error)).slice(0, MOST_DETAIL)
        return { result: isTimeout(error) ? 'timeout' : 'failed', detail }
      }
    },
    /** Ends the attempts that are under way. */
    close: (): Promise<void> => pool.destroy()
  }
}
