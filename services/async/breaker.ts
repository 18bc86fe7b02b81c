import type { Clock } from '../clock.ts'

/** Consecutive failures before the first pause. */
const MOST_FAILURES = 10

/**
 * Pauses failing work. Each pause ends with a trial: if it fails, another pause follows, otherwise work resumes.
 * @param options.longestPauseMs maximum pause; each pause without a success is twice as long as the last one
 * @param options.paused called when the first pause begins, with the last failure
 */
export function createBreaker<Failure>(options: {
  firstPauseMs: number
  longestPauseMs: number
  clock: Pick<Clock, 'elapsed'>
  paused: (failure: Failure) => void
  resumed: () => void
}) {
  const { firstPauseMs, longestPauseMs, clock, paused, resumed } = options
  let failures = 0
  let pauseMs = 0
  let pausedUntil = 0

  /** Whether work is paused. Only a trial after the pause is allowed then. */
  const isPaused = () => failures >= MOST_FAILURES

  return {
    isPaused,
    /** Remaining time of the pause, in milliseconds. */
    cooldownMs: () => (isPaused() ? Math.max(0, pausedUntil - clock.elapsed()) : 0),
    succeeded(): void {
      if (isPaused()) resumed()
      failures = 0
      pauseMs = 0
    },
    /** @param isTrial whether the work started while paused; failures of earlier work are ignored */
    failed(failure: Failure, isTrial: boolean): void {
      if (isPaused() && !isTrial) return
      failures += 1
      if (!isPaused()) return
      if (pauseMs === 0) paused(failure)
      pauseMs = Math.min(pauseMs * 2 || firstPauseMs, longestPauseMs)
      pausedUntil = clock.elapsed() + pauseMs
    }
  }
}
