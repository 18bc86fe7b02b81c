import type { Submission } from './contract.ts'

/** The form for clients and webhook receivers (interface 7.9). `code` would be the code of a service error. */
export function viewOf<T extends Submission>(submission: T) {
  if (submission.status !== 'rejected') return submission
  const { code, codespace, message } = submission.error
  return { ...submission, error: { chainCode: code, codespace, message } }
}
