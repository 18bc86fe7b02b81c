import { ServiceError } from '../errors/index.ts'
import type { Submission, SubmissionService } from '../submission/contract.ts'
import { StoreUnavailableError } from '../submission/errors.ts'

/**
 * Waits until an accepted submission is in a block.
 * @param timeoutMs when the time is up, the submission is returned in its current state and continues in the background
 * @throws ServiceError CHAIN_REJECTED with the chain's own code and message (interface 6.24), SUBMISSION_DAMAGED
 */
export async function waitForBlock(
  submissions: Pick<SubmissionService, 'settled'>,
  accepted: Submission,
  timeoutMs: number
): Promise<Exclude<Submission, { status: 'rejected' }>> {
  const submission = await submissions.settled(accepted.submissionId, timeoutMs, accepted).catch(error => {
    // Report the submission as accepted, because it is stored. A retry returns its result (interface 7.19).
    if (error instanceof StoreUnavailableError) return accepted
    throw error
  })
  if (submission.status !== 'rejected') return submission
  const { code, codespace, message } = submission.error
  throw new ServiceError(
    'CHAIN_REJECTED',
    `The chain refused the transaction (${codespace} ${code}): ${message}`
  )
}
