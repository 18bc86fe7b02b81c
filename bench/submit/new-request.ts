import { randomUUID } from 'node:crypto'
import { createMessageTypes } from '../../services/messages/index.ts'
import type { SubmissionRequest } from '../../services/submission/types.ts'
import { transferMessage } from '../load/transfer.ts'

const { requestTransaction } = createMessageTypes('service')

/** A submission with a fee id of its own, as the submit route hands it to the engine. */
export function newRequest(creator: string): SubmissionRequest {
  const feeId = randomUUID()
  const message = requestTransaction.fromPartial(transferMessage(feeId, creator))
  const { typeUrl } = requestTransaction
  return { identity: `feeId:${feeId}`, typeUrl, message: requestTransaction.encode(message).finish() }
}
