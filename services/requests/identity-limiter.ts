import { createLimiter, type Limiter } from '../async/limiter.ts'
import { systemClock } from '../clock.ts'
import { UpstreamBusyError } from '../upstream/errors.ts'

/** The maximum number of waiting tasks of an identity, far more than the retries of a normal client. */
const MAX_WAITING = 32

/** How long a task waits, in milliseconds: longer than all checks of an earlier attempt take. */
const MAX_WAIT_MS = 30_000

/**
 * Creates a function that runs the tasks of one identity one at a time, in order of arrival (interface 7.20). It throws
 * UpstreamBusyError if too many tasks are already waiting, or if the task has waited too long.
 */
export function createIdentityLimiter() {
  const pending = new Map<string, { limiter: Limiter; requests: number }>()
  const refusal = () => new UpstreamBusyError('earlier attempt of the same submission')

  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const own = pending.get(key) ?? {
      limiter: createLimiter(1, { waiting: MAX_WAITING, refusal }),
      requests: 0
    }
    pending.set(key, own)
    own.requests += 1
    const waiting = new AbortController()
    const stopWaiting = systemClock.after(MAX_WAIT_MS, () => waiting.abort(refusal()))
    try {
      return await own.limiter(() => {
        stopWaiting()
        return task()
      }, waiting.signal)
    } finally {
      stopWaiting()
      own.requests -= 1
      if (own.requests === 0) pending.delete(key)
    }
  }
}
