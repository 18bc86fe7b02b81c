import { identityKey } from '../identities.ts'
import type { Identity, SubmissionRequest } from '../types.ts'
import { contentHash } from './content-hash.ts'
import { contentHashOf, statusOf, toSubmission } from './rows/index.ts'
import type { JoinResult } from './types.ts'

/**
 * Applies the rules of identity to a request (interface 7.3 to 7.6).
 * @param rowOf the row of the submission with an identity's key; undefined when there is none
 * @returns the result if nothing is created, the identities that nobody holds, of which a conflict takes none, and the
 *   hash of the content
 */
export function examine(
  { identities, typeUrl, message }: SubmissionRequest,
  rowOf: (key: string) => unknown
): { result: JoinResult | undefined; free: Identity[]; hash: Buffer } {
  const hash = contentHash(typeUrl, message)
  const free: Identity[] = []
  let holder: unknown
  for (const identity of identities) {
    const row = rowOf(identityKey(identity))
    // A refused submission holds none of its identities (interface 7.6).
    if (row === undefined || statusOf(row) === 'rejected') free.push(identity)
    else if (!hash.equals(contentHashOf(row)))
      return { result: { status: 'conflict', kind: identity.kind }, free: [], hash }
    else holder ??= row
  }
  return {
    result: holder === undefined ? undefined : { status: 'joined', submission: toSubmission(holder) },
    free,
    hash
  }
}
