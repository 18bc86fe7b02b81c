import type { Submission } from './types.ts'

/**
 * A submission as clients and receivers of webhooks get it (interface 7.9, 7.10). The chain's code is a `chainCode` there, because
 * `code` is that of an error of the service.
 */
export function viewOf<T extends Submission>(submission: T) {
  if (submission.status !== 'rejected') return submission
  const { code, codespace, message } = submission.error
  return { ...submission, error: { chainCode: code, codespace, message } }
}
