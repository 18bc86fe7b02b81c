import { ServiceError } from '../errors/index.ts'
import { StoreUnavailableError } from '../submission/store/errors.ts'
import type {
  BroadcastSubmission,
  CommittedSubmission,
  Identity,
  QueuedSubmission,
  Refusal,
  SubmissionService
} from '../submission/types.ts'
import type { EncodedSubmission } from './check-submission.ts'

/**
 * Submits what has passed the checks and waits for its block.
 * @param options.client whose share of the backlog it takes (interface 6.43)
 * @param options.timeoutMs how long to wait; after it the submission goes on and is returned as it is then
 * @throws ServiceError CHAIN_REJECTED with the chain's own code and text (interface 6.24), and the errors of
 *   `SubmissionService.submit`
 */
export async function submitAndWait(
  submissions: Pick<SubmissionService, 'submit' | 'settled'>,
  { feeId, transactionIdSeed, typeUrl, message }: EncodedSubmission,
  options: { idempotencyKey: string | undefined; client: string; timeoutMs: number }
): Promise<CommittedSubmission | BroadcastSubmission | QueuedSubmission> {
  const { idempotencyKey, client, timeoutMs } = options
  const identities: Identity[] = [{ kind: 'fee', value: feeId }]
  if (idempotencyKey !== undefined) identities.push({ kind: 'key', value: idempotencyKey })
  if (transactionIdSeed !== undefined) identities.push({ kind: 'payment', value: transactionIdSeed })
  const accepted = await submissions.submit({ identities, typeUrl, message }, client)
  const submission = await submissions.settled(accepted.submissionId, timeoutMs).catch(error => {
    // It is accepted, and a retry gets its result (interface 7.19).
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
