import type { Submission } from '../../types.ts'
import type { QueuedMessage, SignerState, Variant } from '../types.ts'

/** libsql reads a blob as a Buffer in a single row, and as an ArrayBuffer in one of many. */
type Blob = Uint8Array | ArrayBuffer

export const toBytes = (blob: Blob) => new Uint8Array(blob)

/** A row of `submission`, without its message. */
export interface SubmissionRow {
  submission_id: string
  content_hash: Blob
  status: Submission['status']
  transaction_hash: string | null
  height: number | null
  tx_id: number | null
  gas_used: number | null
  gas_wanted: number | null
  events: string | null
  error: string | null
  created_at: number
  updated_at: number
}

export const SUBMISSION_COLUMNS =
  'submission_id, content_hash, status, transaction_hash, height, tx_id, gas_used, gas_wanted, events, error, ' +
  'created_at, updated_at'

export interface QueuedRow {
  submission_id: string
  type_url: string
  message: Blob
  attempts: number
  error: string | null
}

export interface VariantRow {
  hash: string
  sequence: number
  bytes: Blob
  gas_limit: number
  fee_amount: string
  submission_ids: string
  attempts: number
}

export interface SignerRow {
  address: string
  chain_id: string
  account_number: string
  next_sequence: number
  cursor_height: number
  cursor_hash: string
}

export function toSubmission(row: SubmissionRow): Submission {
  const base = {
    submissionId: row.submission_id,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString()
  }
  switch (row.status) {
    case 'queued':
      return { ...base, status: 'queued' }
    case 'broadcast':
      return { ...base, status: 'broadcast', transactionHash: row.transaction_hash ?? '' }
    case 'committed':
      return {
        ...base,
        status: 'committed',
        txId: row.tx_id ?? 0,
        transactionHash: row.transaction_hash ?? '',
        height: row.height ?? 0,
        gasUsed: row.gas_used ?? 0,
        gasWanted: row.gas_wanted ?? 0,
        events: JSON.parse(row.events ?? '[]')
      }
    case 'rejected':
      return {
        ...base,
        status: 'rejected',
        error: JSON.parse(row.error ?? '{}'),
        ...(row.transaction_hash !== null && { transactionHash: row.transaction_hash }),
        ...(row.height !== null && { height: row.height })
      }
  }
}

export function toQueuedMessage(row: QueuedRow): QueuedMessage {
  return {
    submissionId: row.submission_id,
    typeUrl: row.type_url,
    message: toBytes(row.message),
    attempts: row.attempts,
    suspicion: row.error === null ? undefined : JSON.parse(row.error)
  }
}

export function toVariant(row: VariantRow): Variant {
  return {
    hash: row.hash,
    sequence: row.sequence,
    bytes: toBytes(row.bytes),
    gasLimit: row.gas_limit,
    feeAmount: BigInt(row.fee_amount),
    submissionIds: JSON.parse(row.submission_ids),
    attempts: row.attempts
  }
}

export function toSignerState(row: SignerRow): SignerState {
  return {
    address: row.address,
    chainId: row.chain_id,
    accountNumber: BigInt(row.account_number),
    nextSequence: row.next_sequence,
    cursorHeight: row.cursor_height,
    cursorHash: row.cursor_hash
  }
}
