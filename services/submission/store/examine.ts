import type { Identity, SubmissionRequest } from '../types.ts'
import { contentHash } from './content-hash.ts'
import { StoreCorruptError } from './errors.ts'
import { callerOf, contentHashOf, statusOf, toSubmission } from './rows.ts'
import type { Row } from './sql.ts'
import { keyOfIdentity } from './stored-key.ts'
import type { JoinResult } from './types.ts'

/**
 * Applies the rules of identity to a request (interface 7.3 to 7.6).
 * @param rowOf the row of the submission with an identity's stored key; undefined when there is none
 * @returns the result if nothing is created, and the identities that nobody holds, of which a conflict or damage takes none
 */
export function examine(
  request: SubmissionRequest,
  rowOf: (key: string) => Row | undefined
): { result: JoinResult | undefined; free: Identity[] } {
  try {
    return examineRows(request, rowOf)
  } catch (error) {
    if (error instanceof StoreCorruptError) return { result: { status: 'damaged', damage: error }, free: [] }
    throw error
  }
}

function examineRows(
  { identities, typeUrl, message, caller }: SubmissionRequest,
  rowOf: (key: string) => Row | undefined
): { result: JoinResult | undefined; free: Identity[] } {
  const free: Identity[] = []
  const held: { kind: Identity['kind']; row: Row }[] = []
  for (const identity of identities) {
    const row = rowOf(keyOfIdentity(identity))
    // A refused submission holds none of its identities (interface 7.6).
    if (row === undefined || statusOf(row) === 'rejected') free.push(identity)
    else held.push({ kind: identity.kind, row })
  }
  const [first] = held
  if (first === undefined) return { result: undefined, free }
  const hash = contentHash(typeUrl, message)
  const conflict = held.find(
    ({ row }) => !hash.equals(contentHashOf(row)) || (callerOf(row) ?? caller) !== caller
  )
  if (conflict) return { result: { status: 'conflict', kind: conflict.kind }, free: [] }
  return { result: { status: 'joined', submission: toSubmission(first.row) }, free }
}
