import { ServiceError } from '../errors/index.ts'
import type {
  BroadcastSubmission,
  CommittedSubmission,
  QueuedSubmission,
  Refusal,
  SubmissionRequest,
  SubmissionService
} from '../submission/types.ts'

/** What a submission is known by (contract §4); the prefixes keep a key from standing for another's feeId. */
export function submissionIdentity(idempotencyKey: string | undefined, feeId: string): string {
  return idempotencyKey === undefined ? `fee:${feeId}` : `key:${idempotencyKey}`
}

/**
 * Takes a submission and waits for its block.
 * @param timeoutMs how long to wait; what is not decided then goes on and is returned as it is
 * @throws ServiceError CHAIN_REJECTED with the chain's own code and text; what taking it throws
 */
export async function submitAndWait(
  submissions: SubmissionService,
  request: SubmissionRequest,
  timeoutMs: number
): Promise<CommittedSubmission | BroadcastSubmission | QueuedSubmission> {
  const { submissionId } = await submissions.submit(request)
  const submission = await submissions.settled(submissionId, timeoutMs)
  if (submission.status === 'rejected') throw chainRejected(submission.error)
  return submission
}

function chainRejected({ code, codespace, message }: Refusal): ServiceError {
  return new ServiceError(
    'CHAIN_REJECTED',
    `The chain refused the transaction (${codespace} ${code}): ${message}`
  )
}
