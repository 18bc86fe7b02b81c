import { together } from '../../async/together.ts'
import type { SubmissionStore } from '../store/types.ts'
import type { Waiters } from './waiters.ts'

/** Brings results to the requests that wait for them, whichever replica has stored them. */
export interface Results {
  /** Looks for the results of all submissions that are waited for. */
  look(): Promise<void>
  /**
   * Looks for the results of those of these submissions that are waited for, together with all others of the same turn of
   * the event loop. What this process settles in that turn need not be read.
   */
  lookFor(submissionIds: readonly string[]): Promise<void>
}

export function createResults(store: Pick<SubmissionStore, 'findSettled'>, waiters: Waiters): Results {
  async function read(submissionIds: readonly string[]): Promise<void> {
    if (submissionIds.length === 0) return
    for (const submission of await store.findSettled(submissionIds)) waiters.settle(submission)
  }

  return {
    look: () => read(waiters.submissionIds),
    lookFor: together((lists: (readonly string[])[]) => read(lists.flat().filter(waiters.has)))
  }
}
