import { type Clock, systemClock } from '../clock.ts'
import { UpstreamPausedError, UpstreamTimeoutError } from './errors.ts'

/** So many calls in a row must be late. */
const MOST_LATE = 10

/** Short, so that little is refused when the upstream answers again. */
const PAUSE_MS = 1000

/** Is told when calls are paused, with the last failure, and when they go on. */
export interface PauseObserver {
  paused(failure: UpstreamTimeoutError): void
  resumed(): void
}

/**
 * Pauses calls to an upstream that does not answer in time (interface 19.16). After the pause one call is made as a trial:
 * when it is late too, there is another pause, otherwise all calls are made again. A failure that comes in time costs
 * nobody anything, so it ends a pause as an answer does.
 * @param name of the upstream, for the error
 * @returns a function that makes a call, or throws UpstreamPausedError
 */
export function createBreaker(
  name: string,
  observer: PauseObserver,
  clock: Clock = systemClock
): <T>(call: () => Promise<T>) => Promise<T> {
  let late = 0
  /** When the trial may begin; never while it is under way. */
  let trialAt = 0

  const isPaused = () => late >= MOST_LATE

  function inTime(): void {
    if (isPaused()) observer.resumed()
    late = 0
  }

  function tooLate(failure: UpstreamTimeoutError, wasTrial: boolean): void {
    const wasPaused = isPaused()
    if (!wasPaused) late += 1
    const begins = isPaused() && !wasPaused
    if (begins || wasTrial) trialAt = clock.elapsed() + PAUSE_MS
    if (begins) observer.paused(failure)
  }

  return async call => {
    const isTrial = isPaused()
    if (isTrial && clock.elapsed() < trialAt) throw new UpstreamPausedError(name)
    if (isTrial) trialAt = Number.POSITIVE_INFINITY
    try {
      const answer = await call()
      inTime()
      return answer
    } catch (error) {
      if (error instanceof UpstreamTimeoutError) tooLate(error, isTrial)
      else inTime()
      throw error
    }
  }
}
