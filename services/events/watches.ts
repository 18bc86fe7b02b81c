import { type Clock, systemClock } from '../clock.ts'
import { outsideTraces } from '../tracing/index.ts'
import type { LookPace } from './look-pace.ts'
import type { Source } from './sources.ts'
import { type State, stateOf } from './state.ts'

/**
 * How often a watched id is looked at, in milliseconds: each second at first, a little later than the polls of a second
 * share an answer (interface 9.13), and more rarely the longer nothing has changed.
 */
const LOOK_MS = 1_050
const SLOWEST_LOOK_MS = 5_000
/** What part of the time without a change the next look waits. */
const PATIENCE = 1 / 30

type InTurn = <V>(look: () => Promise<V>) => Promise<V>
type Listener = (state: State) => void

/** A state that was read, and that can be watched from then on. */
export interface Reading {
  readonly state: State
  /**
   * Calls back with each state that comes after the returned one.
   * @param client whose looks they are (interface 22.6)
   * @returns the newest state, and a function that ends the watching
   */
  join(listener: Listener, client: string): { state: State; leave: () => void }
}

/** The watched ids of one kind. Each is looked at once for all that watch it. */
export interface Watches {
  /**
   * Reads the present state of an id.
   * @returns undefined when there is no such id
   * @throws what the source throws
   */
  read(id: string): Promise<Reading | undefined>
  /** Looks at once at those of these ids that are watched, or at all. What is read meanwhile may be too old. */
  look(ids?: readonly string[]): void
}

/** One watched id, from its first watcher to its last, or to its final state. */
interface Watch<T> {
  readonly state: State
  /** Takes what was read, unless it is no newer. */
  offer(value: T): void
  join(listener: Listener, client: string): () => void
  look(): void
}

/**
 * @param options.onFailure called when a look fails; the next one comes in its time
 * @param options.inTurn makes a look when its turn has come
 * @param options.pace of the looks; without it none waits for those of other ids
 */
export function createWatches<T>(
  source: Source<T>,
  options: { onFailure: (err: unknown) => void; inTurn?: InTurn; pace?: LookPace; clock?: Clock }
): Watches {
  const { onFailure, inTurn = look => look(), pace, clock = systemClock } = options
  const watches = new Map<string, Watch<T>>()

  const stateOfValue = (value: T) => stateOf(source.bodyOf(value), source.isFinal(value))

  function createWatch(id: string, first: T): Watch<T> {
    const listeners = new Set<Listener>()
    /** Each with its streams, and the function that ends its watching. */
    const clients = new Map<string, { streams: number; end: (() => void) | undefined }>()
    let last = first
    let state = stateOfValue(first)
    let changedAt = clock.elapsed()
    let isLooking = false
    /** Something has happened since the present look began, which may be too early to see it. */
    let looksAgain = false
    let cancelLook = () => {}

    function end(): void {
      cancelLook()
      listeners.clear()
      for (const { end } of clients.values()) end?.()
      clients.clear()
      watches.delete(id)
    }

    function offer(value: T): void {
      if (value === last || source.isOlder(value, last)) return
      last = value
      const next = stateOfValue(value)
      if (next.id === state.id) return
      state = next
      changedAt = clock.elapsed()
      const told = [...listeners]
      if (state.isFinal) end()
      for (const listener of told) listener(next)
    }

    async function look(): Promise<void> {
      cancelLook()
      if (isLooking) {
        looksAgain = true
        return
      }
      isLooking = true
      do {
        looksAgain = false
        try {
          const value = await inTurn(async () => (listeners.size > 0 ? source.find(id) : undefined))
          if (value !== undefined) offer(value)
        } catch (err) {
          onFailure(err)
        }
      } while (looksAgain)
      isLooking = false
      lookLater()
    }

    function lookLater(): void {
      if (listeners.size === 0) return
      const unchanged = clock.elapsed() - changedAt
      const slower = Math.min(SLOWEST_LOOK_MS, Math.max(LOOK_MS, unchanged * PATIENCE))
      const ms = Math.max(slower, pace?.pauseOf([...clients.keys()]) ?? 0)
      cancelLook = outsideTraces(() => clock.after(ms, look))
    }

    return {
      get state() {
        return state
      },
      offer,
      join(listener, client) {
        listeners.add(listener)
        const own = clients.get(client) ?? { streams: 0, end: pace?.watching(client) }
        own.streams += 1
        clients.set(client, own)
        if (listeners.size === 1) lookLater()
        return () => {
          if (!listeners.delete(listener)) return
          if (listeners.size === 0) return end()
          own.streams -= 1
          if (own.streams > 0) return
          own.end?.()
          clients.delete(client)
        }
      },
      look
    }
  }

  function watchOf(id: string, value: T): Watch<T> {
    const watch = watches.get(id) ?? createWatch(id, value)
    watches.set(id, watch)
    watch.offer(value)
    return watch
  }

  return {
    async read(id) {
      const value = await source.find(id)
      if (value === undefined) return undefined
      const watch = watches.get(id)
      watch?.offer(value)
      return {
        state: watch?.state ?? stateOfValue(value),
        join(listener, client) {
          const joined = watchOf(id, value)
          return { state: joined.state, leave: joined.join(listener, client) }
        }
      }
    },
    look(ids = [...watches.keys()]) {
      for (const id of ids) watches.get(id)?.look()
    }
  }
}
