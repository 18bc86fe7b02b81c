import { createMessageTypes, type MsgRequestTransaction } from '../../services/messages/index.ts'
import type { SubmissionRequest } from '../../services/submission/contract.ts'
import { identified } from '../../services/submission/identities.ts'
import { ownRequest } from './transfer.ts'

const { requestTransaction } = createMessageTypes('service')

/** A transfer as the submit route passes it to the engine; with its feeId. */
export function transferRequest(
  feeId: string,
  change: Pick<MsgRequestTransaction, 'creator'> & Partial<MsgRequestTransaction>
): SubmissionRequest {
  const message = requestTransaction.fromPartial({ ...ownRequest(feeId).fields, ...change })
  const { typeUrl } = requestTransaction
  return { ...identified(message), typeUrl, message: requestTransaction.encode(message).finish() }
}
