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

/** Where the value came from: fresh or stale from memory, or fetched. */
export type ReadResult = 'fresh' | 'stale' | 'fetched' | 'failed'

/** Called on every read. @param ageSeconds undefined for a failure */
export type ReadObserver = (result: ReadResult, ageSeconds: number | undefined) => void

export interface CachedReadOptions {
  maxKeys: number
  /** How long a fetched value is served without another fetch. */
  freshMs: number
  stale?: StalePolicy
  /** Whether to cache a failure for `freshMs`, instead of fetching again on the next read. */
  keepFailures?: boolean
  onFailing?: (key: string, reason: unknown) => void
  onRecovered?: (key: string) => void
  onRead?: ReadObserver
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
  const { maxKeys, freshMs, stale, keepFailures = false, onFailing, onRecovered, onRead } = options
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

  /** @param result the result to report if the last fetch succeeded */
  function serve({ failure, answer }: Fetched<T>, result: ReadResult): Aged<T> {
    if (failure === undefined) return answered(answer, result)
    if (servable(answer)) return answered(answer, 'stale')
    onRead?.('failed', undefined)
    throw failure.reason
  }

  function answered(answer: Answer<T>, result: ReadResult): Aged<T> {
    const served = aged(answer)
    onRead?.(result, served.ageSeconds)
    return served
  }

  return async key => {
    const last = cache.peek(key)
    if (last !== undefined && isFresh(last)) return serve(last, 'fresh')
    const next = cache.forceFetch(key, { forceRefresh: true })
    if (stale === undefined || last === undefined || !servable(last.answer))
      return serve(await next, 'fetched')
    const waits = ageMs(last.answer) > stale.waitAboveMs && last.failure === undefined
    const found = waits ? await within(stale.waitMs, next, () => last) : last
    return serve(found, found === last ? 'stale' : 'fetched')
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
