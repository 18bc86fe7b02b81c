import type { StoredSubmission } from '../../services/submission/store/operator-store.ts'

/** A submission in one row; null stands for what it does not have. */
export function summaryOf({ submission, sequence, attempts }: StoredSubmission) {
  const { submissionId, status, createdAt, updatedAt } = submission
  return {
    submissionId,
    status,
    slot: sequence ?? null,
    attempts,
    txId: submission.status === 'committed' ? (submission.txId ?? null) : null,
    height: 'height' in submission ? (submission.height ?? null) : null,
    createdAt,
    updatedAt
  }
}
