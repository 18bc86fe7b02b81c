import { ServiceError } from '../errors/index.ts'
import { StoreUnavailableError } from '../submission/store/errors.ts'
import type { Identity, Refusal, Requester, Submission, SubmissionService } from '../submission/types.ts'
import type { EncodedSubmission } from './check-submission.ts'

/**
 * Stores a checked submission durably, or joins the existing submission.
 * @throws the errors of `SubmissionService.submit`
 */
export function acceptSubmission(
  submissions: Pick<SubmissionService, 'submit'>,
  { feeId, transactionIdSeed, ...content }: EncodedSubmission,
  options: { idempotencyKey: string | undefined; requester: Requester }
): Promise<Submission> {
  const { idempotencyKey, requester } = options
  const identities: Identity[] = [{ kind: 'fee', value: feeId }]
  // Caller names and idempotency keys contain no space, so two callers cannot have the same key (interface 24.5).
  if (idempotencyKey !== undefined)
    identities.push({ kind: 'key', value: [content.caller, idempotencyKey].filter(Boolean).join(' ') })
  if (transactionIdSeed !== undefined) identities.push({ kind: 'payment', value: transactionIdSeed })
  return submissions.submit({ identities, ...content }, requester)
}

/**
 * Waits until an accepted submission is in a block.
 * @param timeoutMs how long to wait. When the time is up, the submission is returned in its current state and continues
 *   in the background
 * @throws ServiceError CHAIN_REJECTED with the chain's own code and message (interface 6.24)
 */
export async function waitForBlock(
  submissions: Pick<SubmissionService, 'settled'>,
  accepted: Submission,
  timeoutMs: number
): Promise<Exclude<Submission, { status: 'rejected' }>> {
  const submission = await submissions.settled(accepted.submissionId, timeoutMs).catch(error => {
    // The submission is already accepted. A retry returns its result (interface 7.19).
    if (error instanceof StoreUnavailableError) return accepted
    throw error
  })
  if (submission.status === 'rejected') throw chainRejected(submission.error)
  return submission
}

function chainRejected({ code, codespace, message }: Refusal): ServiceError {
  return new ServiceError(
    'CHAIN_REJECTED',
    `The chain refused the transaction (${codespace} ${code}): ${message}`
  )
}
