import { ServiceError } from '../errors/index.ts'
import { StoreUnavailableError } from '../submission/store/errors.ts'
import type { Identity, Refusal, Requester, Submission, SubmissionService } from '../submission/types.ts'
import type { EncodedSubmission } from './check-submission.ts'

/**
 * Stores a checked submission durably, or joins the existing one.
 * @throws the errors of `SubmissionService.submit`
 */
export function acceptSubmission(
  submissions: Pick<SubmissionService, 'submit'>,
  { feeId, transactionIdSeed, ...content }: EncodedSubmission,
  options: { idempotencyKey: string | undefined; requester: Requester }
): Promise<Submission> {
  const { idempotencyKey, requester } = options
  const identities: Identity[] = [{ kind: 'fee', value: feeId }]
  // Names and idempotency keys contain no space, so callers cannot share a key (interface 24.5).
  if (idempotencyKey !== undefined)
    identities.push({ kind: 'key', value: [content.caller, idempotencyKey].filter(Boolean).join(' ') })
  if (transactionIdSeed !== undefined) identities.push({ kind: 'payment', value: transactionIdSeed })
  return submissions.submit({ identities, ...content }, requester)
}

/**
 * Waits for the block of an accepted submission.
 * @param timeoutMs how long to wait; afterwards returns the submission in its current state, and it continues
 * @throws ServiceError CHAIN_REJECTED with the chain's own code and message (interface 6.24)
 */
export async function waitForBlock(
  submissions: Pick<SubmissionService, 'settled'>,
  accepted: Submission,
  timeoutMs: number
): Promise<Exclude<Submission, { status: 'rejected' }>> {
  const submission = await submissions.settled(accepted.submissionId, timeoutMs).catch(error => {
    // The submission is accepted, and a retry gets its result (interface 7.19).
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
