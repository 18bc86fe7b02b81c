import { ServiceError } from './errors.ts'
import type { Refusal } from './submission/types.ts'

/** What a submission is known by (contract §4); the prefixes keep a key from standing for another's feeId. */
export function submissionIdentity(idempotencyKey: string | undefined, feeId: string): string {
  return idempotencyKey === undefined ? `fee:${feeId}` : `key:${idempotencyKey}`
}

/** The answer to a submission that the chain refused: 400 with the chain's own code and text. */
export function chainRejected({ code, codespace, message }: Refusal): ServiceError {
  return new ServiceError(
    'CHAIN_REJECTED',
    `The chain refused the transaction (${codespace} ${code}): ${message}`
  )
}
