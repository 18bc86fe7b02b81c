import { LRUCache } from 'lru-cache'
import { within } from '../async/within.ts'
import { upTo } from './capacity.ts'

export interface StalePolicy {
  /** A value below this age is served while the next one is fetched, and when that fetch failed. */
  maxAgeMs: number
  /** For a value above this age, a read waits up to `waitMs` for the fetch, unless the last fetch failed. */
  waitAboveMs: number
  waitMs: number
}

export interface CachedReadOptions {
  maxKeys: number
  /** How long a fetched value is served without another fetch. */
  freshMs: number
  stale?: StalePolicy
  /** Whether to cache a failure for `freshMs`, instead of fetching again on the next read. */
  keepFailures?: boolean
  onFailing?: (key: string, reason: unknown) => void
  onRecovered?: (key: string) => void
}

export interface Aged<T> {
  value: T
  /** Seconds since the value was requested, for the `age` header (RFC 9111 §5.1). */
  ageSeconds: number
}

interface Answer<T> {
  value: T
  askedAt: number
}

/** The last fetch of a key. A failed fetch keeps the last value. */
type Fetched<T> = { settledAt: number } & (
  | { failure: undefined; answer: Answer<T> }
  | { failure: { reason: unknown }; answer: Answer<T> | undefined }
)

/**
 * Caches the results of `load` by key. Concurrent reads of a key share one fetch. The returned function rejects with
 * the error of `load` if no cached value is recent enough.
 */
export function cachedRead<T>(
  options: CachedReadOptions,
  load: (key: string) => Promise<T>
): (key: string) => Promise<Aged<T>> {
  const { maxKeys, freshMs, stale, keepFailures = false, onFailing, onRecovered } = options
  const cache = new LRUCache<string, Fetched<T>>({
    ...upTo(maxKeys),
    fetchMethod: fetchAnswer,
    // If a key is evicted during a fetch, the fetch still resolves.
    ignoreFetchAbort: true
  })

  async function fetchAnswer(key: string, last: Fetched<T> | undefined): Promise<Fetched<T>> {
    const askedAt = Date.now()
    try {
      const value = await load(key)
      if (last?.failure) onRecovered?.(key)
      return { answer: { value, askedAt }, failure: undefined, settledAt: Date.now() }
    } catch (reason) {
      if (!last?.failure) onFailing?.(key, reason)
      return { answer: last?.answer, failure: { reason }, settledAt: Date.now() }
    }
  }

  function isFresh({ failure, settledAt }: Fetched<T>): boolean {
    const ageMs = Date.now() - settledAt
    return (failure === undefined || keepFailures) && ageMs >= 0 && ageMs < freshMs
  }

  function servable(answer: Answer<T> | undefined): answer is Answer<T> {
    return answer !== undefined && stale !== undefined && ageMs(answer) < stale.maxAgeMs
  }

  function serve({ failure, answer }: Fetched<T>): Aged<T> {
    if (answer !== undefined && (failure === undefined || servable(answer))) return aged(answer)
    throw failure?.reason
  }

  return async key => {
    const last = cache.peek(key)
    if (last !== undefined && isFresh(last)) return serve(last)
    const next = cache.forceFetch(key, { forceRefresh: true })
    if (stale === undefined || last === undefined || !servable(last.answer)) return serve(await next)
    const waits = ageMs(last.answer) > stale.waitAboveMs && last.failure === undefined
    return serve(waits ? await within(stale.waitMs, next, () => last) : last)
  }
}

export function derive<T, U>({ value, ageSeconds }: Aged<T>, from: (value: T) => U): Aged<U> {
  return { value: from(value), ageSeconds }
}

function aged<T>({ value, askedAt }: Answer<T>): Aged<T> {
  return { value, ageSeconds: Math.floor(ageMs({ askedAt }) / 1000) }
}

/** Returns at least 0, because the clock may have been set back. */
function ageMs({ askedAt }: { askedAt: number }): number {
  return Math.max(0, Date.now() - askedAt)
}
