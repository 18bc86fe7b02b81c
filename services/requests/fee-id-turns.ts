import { createLimiter, type Limiter } from '../async/limiter.ts'
import { UpstreamBusyError } from '../upstream/errors.ts'

const refusal = () => new UpstreamBusyError('earlier attempt of the same submission')

/** The most requests that wait for an earlier one with the same feeId. A client that repeats a body has fewer. */
const MOST_WAITING = 32

/**
 * Runs the tasks of one feeId one after another, in the order in which they came; those of others do not wait (interface
 * 7.20). A task that fails does not affect the next.
 * @throws UpstreamBusyError when too many wait already; the task is not run then
 */
export type FeeIdTurns = <T>(feeId: string, task: () => Promise<T>) => Promise<T>

export function createFeeIdTurns(): FeeIdTurns {
  /** Those with a request at present. */
  const present = new Map<string, { inTurn: Limiter; requests: number }>()

  return async (feeId, task) => {
    const own = present.get(feeId) ?? {
      inTurn: createLimiter(1, { waiting: MOST_WAITING, refusal }),
      requests: 0
    }
    present.set(feeId, own)
    own.requests += 1
    try {
      return await own.inTurn(task)
    } finally {
      own.requests -= 1
      if (own.requests === 0) present.delete(feeId)
    }
  }
}
