import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { pollIntervalMs } from './backoff.ts'
import type { Limiter } from './limiter.ts'
import { startLoop, UNTIL_WOKEN } from './loop.ts'
import { onceAMinute } from './once-a-minute.ts'

/**
 * The interval between polls, slightly more than a second, because reads of a status within the same second share a
 * result (interface 9.13).
 */
const POLL_MS = 1_050
const INTERVALS = { shortestMs: POLL_MS, longestMs: 5_000 }

export interface Source<T> {
  find(id: string): Promise<T | undefined>
  /** Returns whether a value is final, so that it never changes again. */
  isFinal(value: T): boolean
  /** Returns whether `next` is older than `last`, although it was read later. */
  isOlder(next: T, last: T): boolean
}

interface Watch<T> {
  /** The listeners, each with whether it wants every change, or only the final value. */
  listeners: Map<(value: T) => void, boolean>
  last: T | undefined
  changedAt: number
  dueAt: number
  isPolling: boolean
  /** Whether a change was announced during the current poll, which might miss it. */
  isOutdated: boolean
}

export interface Poller<T> {
  /** Reads the value of an id, and reports it to the watchers. @throws the errors of the source */
  find(id: string): Promise<T | undefined>
  /** Reports a value to the watchers of its id, unless it is old or known. @returns the newest known value */
  offer(id: string, value: T): T
  /**
   * Calls the listener with the newest known value, and with each later one up to the final value.
   * @param first a value that was just read; if omitted, the listener might be called only with the final value
   * @returns a function that stops watching
   */
  watch(id: string, listener: (value: T) => void, first?: T): () => void
  /** Polls these ids now, if watched, or all watched ids. */
  poll(ids?: readonly string[]): void
  stop(): Promise<void>
}

/**
 * Polls the watched ids of a source. All watchers of an id share its polls, which are a second apart at first and up to
 * five seconds while nothing changes.
 * @param options.limit when a poll may start; immediately if omitted
 */
export function createPoller<T>(
  name: string,
  source: Source<T>,
  options: { limit?: Limiter; clock: Clock; log: Logger }
): Poller<T> {
  const { limit = call => call(), clock, log } = options
  /** A watch exists from the first watcher of an id until the last one leaves or the value is final. */
  const watches = new Map<string, Watch<T>>()
  const failed = onceAMinute<unknown>((polls, err) => log.warn({ polls, err }, `${name} polling failed`))
  const loop = startLoop(`${name} polling`, pollDue, { clock, log })

  function offer(id: string, value: T): T {
    const watch = watches.get(id)
    if (watch === undefined) return value
    const { last } = watch
    if (last !== undefined && (source.isOlder(value, last) || isDeepStrictEqual(value, last))) return last
    watch.last = value
    watch.changedAt = clock.elapsed()
    watch.dueAt = Math.min(watch.dueAt, nextDueAt(watch))
    if (source.isFinal(value)) watches.delete(id)
    for (const listener of [...watch.listeners.keys()]) listener(value)
    return value
  }

  async function find(id: string): Promise<T | undefined> {
    const value = await source.find(id)
    return value && offer(id, value)
  }

  /** Returns when the next poll is due after a poll now. */
  function nextDueAt({ listeners, changedAt }: Watch<T>): number {
    const now = clock.elapsed()
    const wantsChanges = [...listeners.values()].includes(true)
    const unchanged = wantsChanges ? now - changedAt : Number.POSITIVE_INFINITY
    return now + pollIntervalMs(unchanged, INTERVALS)
  }

  async function poll(id: string, watch: Watch<T>): Promise<void> {
    watch.isOutdated = watch.isPolling
    if (watch.isPolling) return
    watch.isPolling = true
    watch.dueAt = nextDueAt(watch)
    const findWatched = async () => watches.get(id) === watch && find(id)
    await limit(findWatched).catch(failed)
    watch.isPolling = false
    if (watch.isOutdated && watches.get(id) === watch) await poll(id, watch)
  }

  async function pollDue(): Promise<number> {
    const now = clock.elapsed()
    for (const [id, watch] of watches) {
      // Round to the nearest step of the loop.
      if (!watch.isPolling && watch.dueAt <= now + POLL_MS / 2) void poll(id, watch)
    }
    return watches.size > 0 ? POLL_MS : UNTIL_WOKEN
  }

  function begin(id: string): Watch<T> {
    const watch: Watch<T> = {
      listeners: new Map(),
      last: undefined,
      changedAt: clock.elapsed(),
      dueAt: Number.POSITIVE_INFINITY,
      isPolling: false,
      isOutdated: false
    }
    watches.set(id, watch)
    if (watches.size === 1) loop.wake()
    return watch
  }

  return {
    find,
    offer,
    watch(id, listener, first) {
      const watch = watches.get(id) ?? begin(id)
      if (first !== undefined) offer(id, first)
      watch.listeners.set(listener, first !== undefined)
      if (watch.last !== undefined) listener(watch.last)
      watch.dueAt = Math.min(watch.dueAt, nextDueAt(watch))
      return () => {
        watch.listeners.delete(listener)
        if (watch.listeners.size === 0 && watches.get(id) === watch) watches.delete(id)
      }
    },
    poll(ids = [...watches.keys()]) {
      for (const id of ids) {
        const watch = watches.get(id)
        if (watch) void poll(id, watch)
      }
    },
    stop: loop.stop
  }
}
