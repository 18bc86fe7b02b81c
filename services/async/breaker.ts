import type { Clock } from '../clock.ts'

/** So many failures in a row begin the first pause. */
const MOST_FAILURES = 10

/** Pauses what fails. After a pause comes a trial: when it fails too, there is another pause, otherwise all goes on. */
export interface Breaker<Failure> {
  /** Whether nothing but a trial is allowed, and that after the pause. */
  isPaused(): boolean
  /** How much of the pause is left, in milliseconds. */
  cooldownMs(): number
  succeeded(): void
  /** @param isTrial whether it began while paused: what was under way before says nothing new */
  failed(failure: Failure, isTrial: boolean): void
}

/**
 * @param options.longestPauseMs each pause without a success is twice as long as the last one, up to this
 * @param options.paused called when the first pause begins, with the last failure
 */
export function createBreaker<Failure>(options: {
  firstPauseMs: number
  longestPauseMs: number
  clock: Pick<Clock, 'elapsed'>
  paused: (failure: Failure) => void
  resumed: () => void
}): Breaker<Failure> {
  const { firstPauseMs, longestPauseMs, clock, paused, resumed } = options
  let failures = 0
  let pauseMs = 0
  let pausedUntil = 0

  const isPaused = () => failures >= MOST_FAILURES

  return {
    isPaused,
    cooldownMs: () => (isPaused() ? Math.max(0, pausedUntil - clock.elapsed()) : 0),
    succeeded() {
      if (isPaused()) resumed()
      failures = 0
      pauseMs = 0
    },
    failed(failure, isTrial) {
      if (isPaused() && !isTrial) return
      failures += 1
      if (!isPaused()) return
      if (pauseMs === 0) paused(failure)
      pauseMs = Math.min(pauseMs * 2 || firstPauseMs, longestPauseMs)
      pausedUntil = clock.elapsed() + pauseMs
    }
  }
}
