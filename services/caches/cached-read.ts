import { LRUCache } from 'lru-cache'
import { within } from '../async/within.ts'
import { upTo } from './capacity.ts'

/** How a cached read treats answers that are no longer fresh. */
export interface StalePolicy {
  /** Answers below this age are served while a newer one is fetched, or after that fetch failed. */
  maxAgeMs: number
  /** Answers above this age wait up to `waitMs` for the newer one, unless the last fetch failed. */
  waitAboveMs: number
  waitMs: number
}

/** How a read was answered: from a fresh or a stale answer in memory, by a fetch, or not at all. */
export type ReadResult = 'fresh' | 'stale' | 'fetched' | 'failed'

/** Is told of every read. @param ageSeconds of the answer; undefined for a failure */
export type ReadObserver = (result: ReadResult, ageSeconds: number | undefined) => void

export interface CachedReadOptions {
  /** Eviction is oldest-first. */
  maxKeys: number
  /** An answer is served this long without another fetch. The time counts from its arrival. */
  freshMs: number
  /** Without it, stale answers are never served. */
  stale?: StalePolicy
  /** Serves a failure as long as a fresh answer. Otherwise the next read fetches again. */
  keepFailures?: boolean
  /** Called when fetches of a key start to fail. */
  onFailing?: (key: string, reason: unknown) => void
  /** Called when a fetch of a key works again. */
  onRecovered?: (key: string) => void
  onRead?: ReadObserver
}

/** An answer and its age. */
export interface Aged<T> {
  value: T
  /** Whole seconds since the request for it was sent, for the `age` header (RFC 9111 §5.1). */
  ageSeconds: number
}

interface Answer<T> {
  value: T
  /** Milliseconds since the epoch. */
  askedAt: number
}

/** The last fetch of a key. A failed one carries the last answer along. */
type Fetched<T> = { settledAt: number } & (
  | { failure: undefined; answer: Answer<T> }
  | { failure: { reason: unknown }; answer: Answer<T> | undefined }
)

/**
 * Caches what `load` answers for each key. There is one fetch at a time for a key, shared by all who read it.
 * @returns a function that rejects with what `load` threw when no answer is young enough
 */
export function cachedRead<T>(
  options: CachedReadOptions,
  load: (key: string) => Promise<T>
): (key: string) => Promise<Aged<T>> {
  const { maxKeys, freshMs, stale, keepFailures = false, onFailing, onRecovered, onRead } = options
  const cache = new LRUCache<string, Fetched<T>>({
    ...upTo(maxKeys),
    fetchMethod: fetchAnswer,
    // A fetch whose key is evicted meanwhile still answers its readers.
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

  /** An answer from the future came before the clock was set back; nobody knows how old it is. */
  function isFresh({ failure, settledAt }: Fetched<T>): boolean {
    const ageMs = Date.now() - settledAt
    return (failure === undefined || keepFailures) && ageMs >= 0 && ageMs < freshMs
  }

  function servable(answer: Answer<T> | undefined): answer is Answer<T> {
    return answer !== undefined && stale !== undefined && ageMs(answer) < stale.maxAgeMs
  }

  /** @param result how the answer was found, if it is not an older one in place of a failure */
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

/** What is computed from an answer is as old as the answer. */
export function derive<T, U>({ value, ageSeconds }: Aged<T>, from: (value: T) => U): Aged<U> {
  return { value: from(value), ageSeconds }
}

function aged<T>({ value, askedAt }: Answer<T>): Aged<T> {
  return { value, ageSeconds: Math.floor(ageMs({ askedAt }) / 1000) }
}

/** Never negative, even when the clock is set back. */
function ageMs({ askedAt }: { askedAt: number }): number {
  return Math.max(0, Date.now() - askedAt)
}
