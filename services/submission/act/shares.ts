import { ServiceError } from '../../errors/index.ts'
import type { SubmissionStore } from '../contract.ts'

/** A caller may have 10 % of the backlog (interface 6.43). */
const MAX_OF_CALLER = 5000

const LOOK_UP = 5000

export type Shares = ReturnType<typeof createShares>

/**
 * Counts the unsettled submissions that this process accepted from each caller, so that no caller can fill the backlog.
 */
export function createShares(store: Pick<SubmissionStore, 'findSettled'>) {
  /** The callers by submissionId. */
  const callers = new Map<string, string>()
  const held = new Map<string, number>()
  let isCertain = true

  function count(caller: string, change: 1 | -1): void {
    const holds = (held.get(caller) ?? 0) + change
    if (holds === 0) held.delete(caller)
    else held.set(caller, holds)
  }

  function remove(submissionIds: readonly string[]): void {
    for (const submissionId of submissionIds) {
      const caller = callers.get(submissionId)
      if (caller === undefined) continue
      callers.delete(submissionId)
      count(caller, -1)
    }
  }

  return {
    /** @param caller undefined without an API key, and therefore without a share */
    closedReason: (caller = '') =>
      (held.get(caller) ?? 0) < MAX_OF_CALLER ? undefined : new ServiceError('BACKLOG_SHARE'),
    add(submissionId: string, caller: string | undefined): void {
      if (caller === undefined) return
      callers.set(submissionId, caller)
      count(caller, 1)
    },
    remove,
    /** Records that submissions may have been settled without a notification of their ids. */
    recheck(): void {
      isCertain = false
    },
    /** Removes the counted submissions that have been settled, if `recheck` was called since the last look. */
    async look(): Promise<void> {
      if (isCertain) return
      isCertain = true
      const ids = [...callers.keys()]
      try {
        for (let from = 0; from < ids.length; from += LOOK_UP) {
          const settled = await store.findSettled(ids.slice(from, from + LOOK_UP))
          remove(settled.map(({ submissionId }) => submissionId))
        }
      } catch (error) {
        isCertain = false
        throw error
      }
    }
  }
}
