import type { Clock } from '../clock.ts'

/** So many attempts in a row must fail. */
const MOST_FAILURES = 10

/** How long nothing is sent then; doubled after each trial that fails too. */
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 60_000

/** How many deliveries may be under way. */
export interface Restraint {
  /** 0 during a pause, 1 after it, until a delivery succeeds. */
  allowed(): number
  /** The rest of the pause in milliseconds. */
  pauseMs(): number
  succeeded(): void
  failed(): void
}

/**
 * Keeps a dead receiver cheap (interface 23.7): however many events wait, there is only a trial now and then. It differs from the
 * breaker of upstreams in that any failure counts, because nobody waits for the answer.
 * @param options.most deliveries at once while the receiver is well
 */
export function createRestraint(options: {
  most: number
  clock: Pick<Clock, 'elapsed'>
  paused: () => void
  resumed: () => void
}): Restraint {
  const { most, clock, paused, resumed } = options
  let failures = 0
  let pauseMs = 0
  let pausedUntil = 0

  const isWell = () => failures < MOST_FAILURES

  return {
    allowed() {
      if (isWell()) return most
      return clock.elapsed() < pausedUntil ? 0 : 1
    },
    pauseMs: () => Math.max(0, pausedUntil - clock.elapsed()),
    succeeded() {
      if (!isWell()) resumed()
      failures = 0
      pauseMs = 0
      pausedUntil = 0
    },
    failed() {
      failures += 1
      // Those that were under way when the pause began say nothing new.
      if (isWell() || clock.elapsed() < pausedUntil) return
      if (pauseMs === 0) paused()
      pauseMs = Math.min(pauseMs * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
      pausedUntil = clock.elapsed() + pauseMs
    }
  }
}
