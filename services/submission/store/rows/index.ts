import { transactionHash } from '../../../chain-client/index.ts'
import type { Submission } from '../../types.ts'
import { contentHash } from '../content-hash.ts'
import type { LeaderReport, QueuedMessage, SignerState, Variant } from '../types.ts'
import {
  AmountRow,
  BroadcastSubmissionRow,
  CallerRow,
  CommittedSubmissionRow,
  CountRow,
  EpochRow,
  EventsJson,
  FeeDayRow,
  HolderRow,
  isImpedimentKind,
  PaidFeeRow,
  PositionRow,
  QueuedMessageRow,
  QueuedSubmissionRow,
  RefusalJson,
  RejectedSubmissionRow,
  ReportJson,
  ReportRow,
  SignerRow,
  StatusOfRow,
  SubmissionIdOfRow,
  SubmissionIdsJson,
  TimeRow,
  VariantRow
} from './shapes.ts'
import { createTableReader } from './table-reader.ts'

const submissions = createTableReader('submission', 'submission_id')
const variants = createTableReader('variant', 'hash')
const signers = createTableReader('signer', 'address')
const identities = createTableReader('identity', 'key')
const wallets = createTableReader('wallet', 'wallet_id')
const feeDays = createTableReader('fee_day', 'day')

/** The columns that `toSubmission`, `contentHashOf` and `callerOf` read. */
export const SUBMISSION_COLUMNS =
  'submission_id, content_hash, status, transaction_hash, height, tx_id, gas_used, gas_wanted, events, error, ' +
  'created_at, updated_at, caller'

/** The fields of a submission of any status. */
export function baseOf(submissionId: string, createdAt: number, updatedAt = createdAt) {
  return {
    submissionId,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString()
  }
}

/** @throws StoreCorruptError, as every function here that reads a row */
export function statusOf(row: unknown): Submission['status'] {
  return submissions.row(StatusOfRow, row).status
}

export function toSubmissionId(row: unknown): string {
  return submissions.row(SubmissionIdOfRow, row).submission_id
}

export function toSubmission(row: unknown): Submission {
  const status = statusOf(row)
  switch (status) {
    case 'queued': {
      const { submission_id, created_at, updated_at } = submissions.row(QueuedSubmissionRow, row)
      return { ...baseOf(submission_id, created_at, updated_at), status }
    }
    case 'broadcast': {
      const { submission_id, created_at, updated_at, transaction_hash } = submissions.row(
        BroadcastSubmissionRow,
        row
      )
      return { ...baseOf(submission_id, created_at, updated_at), status, transactionHash: transaction_hash }
    }
    case 'committed': {
      const committed = submissions.row(CommittedSubmissionRow, row)
      return {
        ...baseOf(committed.submission_id, committed.created_at, committed.updated_at),
        status,
        ...(committed.tx_id !== null && { txId: committed.tx_id }),
        transactionHash: committed.transaction_hash,
        height: committed.height,
        gasUsed: committed.gas_used,
        gasWanted: committed.gas_wanted,
        events: submissions.json(EventsJson, committed.events, row, 'events')
      }
    }
    case 'rejected': {
      const rejected = submissions.row(RejectedSubmissionRow, row)
      return {
        ...baseOf(rejected.submission_id, rejected.created_at, rejected.updated_at),
        status,
        error: submissions.json(RefusalJson, rejected.error, row, 'error'),
        ...(rejected.transaction_hash !== null && { transactionHash: rejected.transaction_hash }),
        ...(rejected.height !== null && { height: rejected.height })
      }
    }
  }
}

/** The hash of the submission's content. */
export function contentHashOf(row: unknown): Uint8Array {
  return submissions.bytes(submissions.row(StatusOfRow, row).content_hash, row, 'content_hash')
}

/** Whose API key it came with. */
export function callerOf(row: unknown): string | undefined {
  return submissions.row(CallerRow, row).caller ?? undefined
}

/** What was accepted: nothing else may be executed. */
export function toQueuedMessage(row: unknown): QueuedMessage {
  const { submission_id, content_hash, type_url, message } = submissions.row(QueuedMessageRow, row)
  const bytes = submissions.bytes(message, row, 'message')
  const accepted = submissions.bytes(content_hash, row, 'content_hash')
  if (!contentHash(type_url, bytes).equals(accepted)) throw submissions.corrupt(row, 'message')
  return { submissionId: submission_id, typeUrl: type_url, message: bytes }
}

/** What was signed: its messages may be signed again. */
export function toVariant(row: unknown): Variant {
  const { hash, sequence, gas_limit, fee_amount, submission_ids, ...blobs } = variants.row(VariantRow, row)
  const bytes = variants.bytes(blobs.bytes, row, 'bytes')
  if (transactionHash(bytes) !== hash) throw variants.corrupt(row, 'bytes')
  return {
    hash,
    sequence,
    bytes,
    gasLimit: gas_limit,
    feeAmount: BigInt(fee_amount),
    submissionIds: variants.json(SubmissionIdsJson, submission_ids, row, 'submission_ids')
  }
}

export function toSignerState(row: unknown): SignerState {
  const signer = signers.row(SignerRow, row)
  return {
    address: signer.address,
    chainId: signer.chain_id,
    accountNumber: BigInt(signer.account_number),
    nextSequence: signer.next_sequence,
    cursorHeight: signer.cursor_height,
    cursorHash: signer.cursor_hash,
    probePassed: signer.probe_passed === 1
  }
}

export function toReport(row: unknown): LeaderReport & { ageMs: number } {
  const { report, age } = wallets.row(ReportRow, row)
  const { impediments, loops, withoutTxId } = wallets.json(ReportJson, report, row, 'report')
  return {
    impediments: impediments.flatMap(({ kind, ...rest }) =>
      isImpedimentKind(kind) ? { kind, ...rest } : []
    ),
    loops: loops.map(({ name, sinceSuccessMs, failingMs }) => ({ name, sinceSuccessMs, failingMs })),
    withoutTxId,
    ageMs: age
  }
}

/** The one row of a query for `count`. */
export function toCount(row: unknown): number {
  return submissions.row(CountRow, row).count
}

/** The row of a query for an `amount` of base units; 0 without one. */
export function toAmount(row: unknown): bigint {
  return row === undefined ? 0n : BigInt(feeDays.row(AmountRow, row).amount)
}

/** A day, as `utcDayNumber`, and the fees that were paid on it. */
export function toFeeDay(row: unknown): [day: number, amount: bigint] {
  const { day, amount } = feeDays.row(FeeDayRow, row)
  return [day, BigInt(amount)]
}

/** The hash of a signed transaction, and its fee. */
export function toPaidFee(row: unknown): [hash: string, amount: bigint] {
  const { hash, fee_amount } = variants.row(PaidFeeRow, row)
  return [hash, BigInt(fee_amount)]
}

/** The key of an identity in a row of its submission. */
export function toHolder(row: unknown): string {
  return identities.row(HolderRow, row).key
}

export function toEpoch(row: unknown): number {
  return wallets.row(EpochRow, row).epoch
}

export function toPosition(row: unknown): number {
  return submissions.row(PositionRow, row).position
}

/** The one row of a query for a `time`. */
export function toTime(row: unknown): number | undefined {
  return submissions.row(TimeRow, row).time ?? undefined
}
