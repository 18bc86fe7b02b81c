import type { StatusKind } from '../../schemas/record-fields.ts'
import { isFinalStatus } from '../status/final-states.ts'
import type { StatusService } from '../status/index.ts'
import { isOlderRecord } from '../status/order.ts'
import type { StatusRecord } from '../status/record.ts'
import type { Submission, SubmissionService } from '../submission/contract.ts'

export interface Source<T> {
  find(id: string): Promise<T | undefined>
  bodyOf(value: T): string
  isFinal(value: T): boolean
  isOlder(next: T, last: T): boolean
}

export function statusSource(
  kind: StatusKind,
  status: Pick<StatusService, 'find'>,
  bodyOf: (kind: StatusKind, record: StatusRecord) => object
): Source<StatusRecord> {
  return {
    find: txId => status.find(kind, txId),
    bodyOf: record => JSON.stringify(bodyOf(kind, record)),
    isFinal: ({ txstatus }) => isFinalStatus(txstatus),
    isOlder: isOlderRecord
  }
}

export function submissionSource(
  submissions: Pick<SubmissionService, 'find'>,
  bodyOf: (submission: Submission) => string
): Source<Submission> {
  const isFinal = ({ status }: Submission) => status === 'committed' || status === 'rejected'
  return {
    find: submissionId => submissions.find(submissionId),
    bodyOf,
    isFinal,
    // A final state always counts as newer: its time can be earlier if the system clock was set back.
    isOlder: (next, last) => !isFinal(next) && next.updatedAt < last.updatedAt
  }
}
