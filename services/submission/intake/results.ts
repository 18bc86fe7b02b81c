import { together } from '../runtime/together.ts'
import type { SubmissionStore } from '../store/types.ts'
import type { Waiters } from './waiters.ts'

/** Brings results to the requests that wait for them, whichever replica has stored them. */
export interface Results {
  /** Looks for the results of those of these submissions that are waited for; of all when left out. */
  look(submissionIds?: readonly string[]): Promise<void>
  /** Looks for the result of one, together with all others of the same turn of the event loop. */
  lookFor(submissionId: string): Promise<void>
}

export function createResults(store: Pick<SubmissionStore, 'findSettled'>, waiters: Waiters): Results {
  async function look(submissionIds?: readonly string[]): Promise<void> {
    const wanted = submissionIds?.filter(waiters.has) ?? waiters.submissionIds
    if (wanted.length === 0) return
    for (const submission of await store.findSettled(wanted)) waiters.settle(submission)
  }

  return { look, lookFor: together(look) }
}
