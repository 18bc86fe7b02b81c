import type { Submission } from './types.ts'

/**
 * Converts a submission to the form that clients and webhook receivers get (interface 7.9, 7.10). The chain's code is
 * named `chainCode`, because `code` is the code of a service error.
 */
export function viewOf<T extends Submission>(submission: T) {
  if (submission.status !== 'rejected') return submission
  const { code, codespace, message } = submission.error
  return { ...submission, error: { chainCode: code, codespace, message } }
}
