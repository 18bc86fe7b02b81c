import { setTimeout as pause } from 'node:timers/promises'
import { createCache } from 'async-cache-dedupe'
import type { Logger } from '../logger.ts'

/** Up to this age an answer is given again without asking. */
const FRESH_S = 10
/** Beyond this age an answer is old: whoever gets it is willing to wait a moment for a newer one. */
const OLD_S = 60
const PATIENCE_MS = 1_000
/** Beyond this age an answer is given to nobody, even while its upstream is down. */
const BOUND_S = 600
/** Far above the number of pairs of chains, the most that any read is asked for. */
const MAX_KEYS = 1_000

/** What a read answered. */
export interface Aged<T> {
  value: T
  /** Whole seconds since it was asked for, as the `age` header has them (RFC 9111 §5.1). */
  ageSeconds: number
}

interface Kept<T> {
  value: T
  /** Milliseconds since the epoch. */
  askedAt: number
}

/**
 * A read for display (contract §3, Chains): kept for ten seconds, and given out up to ten minutes old while it is
 * refreshed or its upstream is down, with one request at a time for each key. An answer older than a minute waits
 * up to a second for the newer one, unless the last attempt failed.
 *
 * @param name what the log calls it
 * @returns a function that throws what `load` throws when it has nothing young enough to give
 */
export function cachedRead<T>(
  name: string,
  load: (key: string) => Promise<T>,
  log: Logger
): (key: string) => Promise<Aged<T>> {
  const flights = new Map<string, Promise<Kept<T>>>()
  const failing = new Set<string>()
  const cache = createCache({
    ttl: FRESH_S,
    stale: BOUND_S - FRESH_S,
    storage: { type: 'memory', options: { size: MAX_KEYS } }
  }).define('read', refresh)

  /** The cache alone would ask twice when an answer reaches its bound during a refresh. */
  function refresh(key: string): Promise<Kept<T>> {
    const underWay = flights.get(key)
    if (underWay !== undefined) return underWay
    const flight = ask(key).finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }

  async function ask(key: string): Promise<Kept<T>> {
    const askedAt = Date.now()
    try {
      const value = await load(key)
      if (failing.delete(key)) log.info({ read: name, key }, 'a read that failed works again')
      return { value, askedAt }
    } catch (err) {
      if (!failing.has(key))
        log.warn({ err, read: name, key }, 'a read failed; answering what is kept, if anything')
      failing.add(key)
      throw err
    }
  }

  async function newerThan(kept: Kept<T>, key: string): Promise<Kept<T>> {
    const flight = flights.get(key)
    if (flight === undefined || failing.has(key)) return kept
    return Promise.race([flight.catch(() => kept), pause(PATIENCE_MS, kept)])
  }

  return async key => {
    const kept = await cache.read(key)
    const { value, askedAt } = ageOf(kept) > OLD_S ? await newerThan(kept, key) : kept
    return { value, ageSeconds: ageOf({ askedAt }) }
  }
}

/** What follows from an answer is as old as the answer. */
export function derive<T, U>({ value, ageSeconds }: Aged<T>, from: (value: T) => U): Aged<U> {
  return { value: from(value), ageSeconds }
}

function ageOf({ askedAt }: { askedAt: number }): number {
  return Math.max(0, Math.floor((Date.now() - askedAt) / 1000))
}
