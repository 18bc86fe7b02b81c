import type { CommittedSubmission, RejectedSubmission, Submission } from './contract.ts'

export const isSettled = (submission: Submission): submission is CommittedSubmission | RejectedSubmission =>
  submission.status === 'committed' || submission.status === 'rejected'

/**
 * Returns a submission as clients and webhook receivers see it (interface 7.9). Renames the refusal's `code`, which
 * would look like the code of a service error.
 */
export function viewOf<T extends Submission>(submission: T) {
  if (submission.status !== 'rejected') return submission
  const { code, codespace, message } = submission.error
  return { ...submission, error: { chainCode: code, codespace, message } }
}
