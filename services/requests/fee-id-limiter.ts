import { createLimiter, type Limiter } from '../async/limiter.ts'
import { UpstreamBusyError } from '../upstream/errors.ts'

const refusal = () => new UpstreamBusyError('earlier attempt of the same submission')

/**
 * Maximum number of requests that wait for an earlier request with the same feeId. Normal retries stay below this
 * limit.
 */
const MOST_WAITING = 32

/**
 * Runs the tasks of one feeId one at a time, in order of arrival. Tasks of different feeIds do not wait for each other
 * (interface 7.20). A failed task does not affect the next task.
 * @throws UpstreamBusyError, without running the task, if too many tasks are already waiting
 */
export type FeeIdLimiter = <T>(feeId: string, task: () => Promise<T>) => Promise<T>

export function createFeeIdLimiter(): FeeIdLimiter {
  /** FeeIds that have a pending request. */
  const present = new Map<string, { limiter: Limiter; requests: number }>()

  return async (feeId, task) => {
    const own = present.get(feeId) ?? {
      limiter: createLimiter(1, { waiting: MOST_WAITING, refusal }),
      requests: 0
    }
    present.set(feeId, own)
    own.requests += 1
    try {
      return await own.limiter(task)
    } finally {
      own.requests -= 1
      if (own.requests === 0) present.delete(feeId)
    }
  }
}
