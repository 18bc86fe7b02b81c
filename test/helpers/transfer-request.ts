import { createMessageTypes, type MsgRequestTransaction } from '../../services/messages/index.ts'
import type { SubmissionRequest } from '../../services/submission/contract.ts'
import { ownRequest } from './transfer.ts'

const { requestTransaction } = createMessageTypes('service')

/** A transfer as the submit route passes it to the engine; its identity is its feeId. */
export function transferRequest(
  feeId: string,
  change: Pick<MsgRequestTransaction, 'creator'> & Partial<MsgRequestTransaction>
): SubmissionRequest {
  const message = requestTransaction.fromPartial({ ...ownRequest(feeId).fields, ...change })
  const { typeUrl } = requestTransaction
  const identities = [{ kind: 'fee', value: feeId }] as const
  return { identities, typeUrl, message: requestTransaction.encode(message).finish() }
}
