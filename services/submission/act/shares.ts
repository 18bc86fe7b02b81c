import { ServiceError } from '../../errors/index.ts'
import type { SubmissionStore } from '../contract.ts'

/** A caller may have 10 % of the backlog (interface 6.43). */
const MOST_OF_CALLER = 5000

const LOOK_UP = 5000

export type Shares = ReturnType<typeof createShares>

/**
 * Counts the unsettled submissions that this process accepted from each caller, so that no caller can fill the backlog.
 */
export function createShares(store: Pick<SubmissionStore, 'findSettled'>) {
  /** By submissionId, least recently looked up first. */
  const callers = new Map<string, string>()
  const held = new Map<string, number>()
  let doubtful = 0

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
    closedReason: (caller: string) =>
      (held.get(caller) ?? 0) < MOST_OF_CALLER ? undefined : new ServiceError('BACKLOG_SHARE'),
    add(submissionId: string, caller: string): void {
      callers.set(submissionId, caller)
      count(caller, 1)
    },
    remove,
    /** Records that submissions may have been settled without a notification of their ids. */
    doubt(): void {
      doubtful = callers.size
    },
    /** After `doubt`, looks up counted submissions, up to LOOK_UP per call, and removes the settled ones. */
    async look(): Promise<void> {
      if (doubtful === 0) return
      const looked = [...callers].slice(0, LOOK_UP)
      const settled = await store.findSettled(looked.map(([submissionId]) => submissionId))
      doubtful = Math.max(0, doubtful - LOOK_UP)
      remove(settled.map(({ submissionId }) => submissionId))
      for (const [submissionId, caller] of looked) {
        // Move the submission to the end, so that the next call looks up others first.
        if (callers.delete(submissionId)) callers.set(submissionId, caller)
      }
    }
  }
}
