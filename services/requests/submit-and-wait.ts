import { ServiceError } from '../errors/index.ts'
import type {
  BroadcastSubmission,
  CommittedSubmission,
  QueuedSubmission,
  Refusal,
  SubmissionService
} from '../submission/types.ts'
import type { EncodedSubmission } from './check-submission.ts'

/**
 * Submits what has passed the checks and waits for its block.
 * @param options.timeoutMs how long to wait; after it the submission goes on and is returned as it is then
 * @throws ServiceError CHAIN_REJECTED with the chain's own code and text (interface 6.24), and the errors of
 *   `SubmissionService.submit`
 */
export async function submitAndWait(
  submissions: Pick<SubmissionService, 'submit' | 'settled'>,
  { feeId, typeUrl, message }: EncodedSubmission,
  options: { idempotencyKey: string | undefined; timeoutMs: number }
): Promise<CommittedSubmission | BroadcastSubmission | QueuedSubmission> {
  const identity = submissionIdentity(options.idempotencyKey, feeId)
  const { submissionId } = await submissions.submit({ identity, typeUrl, message })
  const submission = await submissions.settled(submissionId, options.timeoutMs)
  if (submission.status === 'rejected') throw chainRejected(submission.error)
  return submission
}

/** The prefixes keep a key from standing for a feeId of the same text (interface 7.3). */
function submissionIdentity(idempotencyKey: string | undefined, feeId: string): string {
  return idempotencyKey === undefined ? `fee:${feeId}` : `key:${idempotencyKey}`
}

function chainRejected({ code, codespace, message }: Refusal): ServiceError {
  return new ServiceError(
    'CHAIN_REJECTED',
    `The chain refused the transaction (${codespace} ${code}): ${message}`
  )
}
