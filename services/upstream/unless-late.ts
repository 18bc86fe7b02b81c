import { createBreaker } from '../async/breaker.ts'
import { type Clock, systemClock } from '../clock.ts'
import { UpstreamPausedError, UpstreamTimeoutError } from './errors.ts'

/** The length of a pause, short so that few calls are rejected after the upstream has recovered. */
const PAUSE_MS = 1000

/**
 * Pauses calls to an upstream that does not respond in time. Any response in time ends a pause, even a failure.
 * @returns a function that makes a call, or throws UpstreamPausedError
 */
export function createUnlessLate(
  name: string,
  observer: { paused(failure: UpstreamTimeoutError): void; resumed(): void },
  clock: Clock = systemClock
): <T>(call: () => Promise<T>) => Promise<T> {
  const breaker = createBreaker<UpstreamTimeoutError>({
    pauses: { firstMs: PAUSE_MS, longestMs: PAUSE_MS },
    clock,
    ...observer
  })
  let isTrying = false

  return async call => {
    const isTrial = breaker.isPaused()
    if (isTrial && (isTrying || breaker.cooldownMs() > 0)) throw new UpstreamPausedError(name)
    isTrying = isTrial
    try {
      const answer = await call()
      breaker.succeeded()
      return answer
    } catch (error) {
      if (error instanceof UpstreamTimeoutError) breaker.failed(error, isTrial)
      else breaker.succeeded()
      throw error
    } finally {
      if (isTrial) isTrying = false
    }
  }
}
