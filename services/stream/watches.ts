import { createHash } from 'node:crypto'
import { type Clock, systemClock } from '../clock.ts'
import { outsideTraces } from '../tracing/index.ts'
import type { PollLimiter } from './poll-limiter.ts'
import type { Source } from './sources.ts'

/**
 * Poll interval of a watched id, in milliseconds. It grows while nothing changes. Slightly more than a second, because
 * polls within the same second share a result (interface 9.13).
 */
const POLL_MS = 1_050
const SLOWEST_POLL_MS = 5_000
/** The next poll waits for this fraction of the time since the last change. */
const PATIENCE = 1 / 30

/** A state in an event stream (interface 22.2). */
export interface State {
  id: string
  message: string
  isFinal: boolean
}

/** Long enough to distinguish the states of a single id. */
const ID_LENGTH = 16

/** @param body JSON without line breaks */
export function stateOf(body: string, isFinal: boolean): State {
  const id = createHash('sha256').update(body).digest('base64url').slice(0, ID_LENGTH)
  return { id, message: `event: state\nid: ${id}\ndata: ${body}\n\n`, isFinal }
}

type Listener = (state: State) => void

export interface Reading {
  readonly state: State
  /**
   * Calls the listener with each later state.
   * @param client the client to charge the polls to (interface 22.6)
   * @returns the newest state, and a function that stops watching
   */
  join(listener: Listener, client: string): { state: State; leave: () => void }
}

export type Watches = ReturnType<typeof createWatches>

/**
 * Polls the watched ids of one kind. All watchers of an id share its polls.
 * @param options.onFailure called when a poll fails; the next one runs as scheduled
 * @param options.limit decides when a poll may start; immediately if omitted
 */
export function createWatches<T>(
  source: Source<T>,
  options: { onFailure: (err: unknown) => void; limit?: PollLimiter; clock?: Clock }
) {
  const { onFailure, limit = beginAtOnce, clock = systemClock } = options
  /** An entry exists from the first watcher of an id until the last one leaves or the state is final. */
  const watches = new Map<string, ReturnType<typeof createWatch>>()

  const stateOfValue = (value: T) => stateOf(source.bodyOf(value), source.isFinal(value))

  function createWatch(id: string, first: T) {
    const listeners = new Set<Listener>()
    const clients = new Map<string, number>()
    let last = first
    let state = stateOfValue(first)
    let changedAt = clock.elapsed()
    let isPolling = false
    /** Whether `poll` was called during the current poll, which might miss the change. */
    let pollsAgain = false
    let cancelPoll = () => {}

    function end(): void {
      cancelPoll()
      listeners.clear()
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
      const notified = [...listeners]
      if (state.isFinal) end()
      for (const listener of notified) listener(next)
    }

    function poll(): void {
      cancelPoll()
      pollsAgain = isPolling
      if (!isPolling) cancelPoll = limit(clients, find)
    }

    async function find(): Promise<void> {
      isPolling = true
      try {
        const value = await source.find(id)
        if (value !== undefined) offer(value)
      } catch (err) {
        onFailure(err)
      }
      isPolling = false
      if (listeners.size === 0) return
      if (pollsAgain) poll()
      else schedulePoll()
    }

    function schedulePoll(): void {
      const unchanged = clock.elapsed() - changedAt
      const ms = Math.min(SLOWEST_POLL_MS, Math.max(POLL_MS, unchanged * PATIENCE))
      cancelPoll = outsideTraces(() => clock.after(ms, poll))
    }

    return {
      get state(): State {
        return state
      },
      offer,
      join(listener: Listener, client: string): () => void {
        listeners.add(listener)
        clients.set(client, (clients.get(client) ?? 0) + 1)
        if (listeners.size === 1) schedulePoll()
        return () => {
          if (!listeners.delete(listener)) return
          if (listeners.size === 0) return end()
          const left = (clients.get(client) ?? 0) - 1
          if (left > 0) clients.set(client, left)
          else clients.delete(client)
        }
      },
      poll
    }
  }

  return {
    /** Reads the current state of an id; undefined if it does not exist. @throws the errors of the source */
    async read(id: string): Promise<Reading | undefined> {
      const value = await source.find(id)
      if (value === undefined) return undefined
      const watch = watches.get(id)
      watch?.offer(value)
      return {
        state: watch?.state ?? stateOfValue(value),
        join(listener, client) {
          const joined = watches.get(id) ?? createWatch(id, value)
          watches.set(id, joined)
          joined.offer(value)
          return { state: joined.state, leave: joined.join(listener, client) }
        }
      }
    },
    /** Immediately polls these ids, if watched, or all watched ids. After a running poll of an id, polls it again. */
    poll(ids: readonly string[] = [...watches.keys()]): void {
      for (const id of ids) watches.get(id)?.poll()
    }
  }
}

function beginAtOnce(_clients: unknown, begin: () => Promise<void>): () => void {
  begin()
  return () => {}
}
