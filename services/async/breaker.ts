import type { Clock } from '../clock.ts'
import { backoffMs } from './backoff.ts'

const MAX_FAILURES = 10

/**
 * Pauses work after ten consecutive failures. Each pause ends with a trial: work resumes if the trial succeeds,
 * otherwise another pause follows.
 * @param options.pauses bounds of the pauses: until a success, each is twice as long as the previous one
 * @param options.paused called with the last failure when the first pause begins
 */
export function createBreaker<Failure>(options: {
  pauses: { firstMs: number; longestMs: number }
  clock: Pick<Clock, 'elapsed'>
  paused: (failure: Failure) => void
  resumed: () => void
}) {
  const { pauses, clock, paused, resumed } = options
  let failures = 0
  let pausedUntil = 0

  /** Stays true after the cooldown, until a trial succeeds. */
  const isPaused = () => failures >= MAX_FAILURES

  return {
    isPaused,
    cooldownMs: () => (isPaused() ? Math.max(0, pausedUntil - clock.elapsed()) : 0),
    succeeded(): void {
      if (isPaused()) resumed()
      failures = 0
    },
    /** @param isTrial whether the work started during a pause. Other failures during a pause are ignored. */
    failed(failure: Failure, isTrial: boolean): void {
      if (isPaused() && !isTrial) return
      failures += 1
      if (!isPaused()) return
      if (failures === MAX_FAILURES) paused(failure)
      pausedUntil = clock.elapsed() + backoffMs(failures - MAX_FAILURES + 1, pauses)
    }
  }
}
