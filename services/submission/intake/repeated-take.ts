import type { Clock } from '../../clock.ts'
import { ServiceError } from '../../errors/index.ts'
import { StoreUncertainError } from '../store/errors.ts'
import type { IntakeRequest, IntakeResult, SubmissionStore } from '../store/types.ts'

/** How often a call is made whose outcome stays unknown, and the pause between two calls. */
const MOST_CALLS = 5
const PAUSE_MS = 500

/**
 * Stores submissions, and repeats the call while its outcome is unknown. The ids make it the same call each time.
 * @throws ServiceError SUBMISSION_UNKNOWN when the outcome stays unknown
 * @throws the store's error when nothing was stored
 */
export async function takeRepeatedly(
  store: Pick<SubmissionStore, 'take'>,
  clock: Clock,
  requests: readonly IntakeRequest[]
): Promise<IntakeResult[]> {
  let unknown: unknown
  for (let calls = 1; ; calls++) {
    try {
      return await store.take(requests)
    } catch (error) {
      // A later call that had no effect says nothing about an earlier one that may have had it.
      if (unknown === undefined && !(error instanceof StoreUncertainError)) throw error
      unknown = error
    }
    if (calls === MOST_CALLS) throw new ServiceError('SUBMISSION_UNKNOWN', undefined, { cause: unknown })
    await new Promise<void>(resolve => void clock.after(PAUSE_MS, resolve))
  }
}
