import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { transactionHash } from '../../chain-client/index.ts'
import { parseJson } from '../../json.ts'
import { checkFor, literals } from '../../schema-check.ts'
import {
  BLOCKER_KINDS,
  type Holder,
  type LeaderReport,
  type NoticeState,
  type Place,
  type QueuedMessage,
  type SignedTx,
  type Submission,
  type WalletState
} from '../contract.ts'
import { StoreCorruptError } from '../errors.ts'
import { contentHash } from '../identities.ts'
import { columnOf, type Row } from './sql.ts'

export const Text = Type.String({ minLength: 1 })
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const FromOne = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
/** Milliseconds since the epoch, limited to the range of a Date. */
export const Time = Type.Integer({ minimum: 0, maximum: 8.64e15 })
const Bytes = Type.Uint8Array()
const Digits = Type.String({ pattern: '^[0-9]+$' })
const { Optional } = Type

/**
 * Creates a mapper for the rows of a table. Leaves out NULLs. Parses columns of objects and arrays as JSON.
 * @param key the column that identifies the row in errors
 * @returns a function that throws StoreCorruptError if a row does not have this shape
 */
export function mapper<P extends TProperties>(
  table: string,
  key: string,
  shape: P
): (row: Row | undefined) => Static<TObject<P>> {
  const check = checkFor(Type.Object(shape))
  const fields = Object.entries(shape).map(([field, { type }]) => {
    return { field, column: columnOf(field), isJson: type === 'object' || type === 'array' }
  })
  return row => {
    const value: Record<string, unknown> = {}
    for (const { field, column, isJson } of fields) {
      const cell = row?.[column] ?? undefined
      if (cell !== undefined) value[field] = isJson ? parseJson(String(cell)) : cell
    }
    if (check.Check(value)) return value
    const [, field = ''] = check.Errors(value).First()?.path.split('/') ?? []
    throw damage(table, key, row, columnOf(field))
  }
}

function damage(table: string, key: string, row: Row | undefined, column: string): StoreCorruptError {
  const name = row?.[key]
  const isName = typeof name === 'string' || typeof name === 'number'
  const position = row?.['position'] === undefined ? 'unknown' : `#${row['position']}`
  const isMoney = !['event', 'quote', 'btc_lock'].includes(table) && !isDone(row?.['status'])
  return new StoreCorruptError(table, isName ? String(name) : position, column, isMoney)
}

/** Whether a submission with this status is settled or set aside. */
const isDone = (status: unknown) => ['committed', 'rejected', 'damaged'].includes(String(status))

/** Reads each row separately, so that a damaged row does not block the others. */
export function readEach<R, T>(
  rows: readonly R[],
  read: (row: R) => T,
  onDamage: (damage: StoreCorruptError, row: R) => void = () => {}
): T[] {
  return rows.flatMap(row => {
    try {
      return [read(row)]
    } catch (error) {
      if (!(error instanceof StoreCorruptError)) throw error
      onDamage(error, row)
      return []
    }
  })
}

const base = { submissionId: Text, createdAt: Time, updatedAt: Time }

const Refusal = Type.Object({ code: Type.Integer(), codespace: Type.String(), message: Type.String() })

const SubmissionEvent = Type.Object({
  type: Type.String(),
  attributes: Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))
})

const submissionMapper = <P extends TProperties>(shape: P) => mapper('submission', 'submission_id', shape)

const inStatus = {
  queued: submissionMapper({ ...base, status: Type.Literal('queued') }),
  broadcast: submissionMapper({ ...base, status: Type.Literal('broadcast'), transactionHash: Text }),
  committed: submissionMapper({
    ...base,
    status: Type.Literal('committed'),
    txId: Optional(FromOne),
    transactionHash: Text,
    height: FromOne,
    gasUsed: Count,
    gasWanted: Count,
    events: Type.Array(SubmissionEvent)
  }),
  rejected: submissionMapper({
    ...base,
    status: Type.Literal('rejected'),
    error: Refusal,
    transactionHash: Optional(Text),
    height: Optional(FromOne)
  })
}
export const STATUSES = ['queued', 'broadcast', 'committed', 'rejected'] as const
const readStatus = submissionMapper({ status: literals(STATUSES) })

export const toSubmissionId = submissionMapper({ submissionId: Text })
export const toTypeUrl = submissionMapper({ typeUrl: Text })
export const toFollower = submissionMapper({ submissionId: Text, error: Refusal })

export function toSubmission(row: Row): Submission {
  const { createdAt, updatedAt, ...state } = inStatus[readStatus(row).status](row)
  const times = {
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString()
  }
  return { ...state, ...times }
}

export const toPlace: (row: Row | undefined) => Place = submissionMapper({
  createdAt: Type.Integer(),
  submissionId: Type.String({ pattern: '^[\\w-]{1,64}$' })
})

export const toRequest = submissionMapper({
  submissionId: Text,
  contentHash: Bytes,
  typeUrl: Text,
  message: Bytes,
  waitsFor: Optional(Text)
})

/** Checks the hash, because only the accepted content may be executed. The hash does not cover the creator. */
export function toQueuedMessage(row: Row): QueuedMessage {
  const { contentHash: accepted, ...queued } = toRequest(row)
  if (!contentHash(queued.typeUrl, queued.message).equals(accepted))
    throw damage('submission', 'submission_id', row, 'message')
  return queued
}

/** Reads the whole row: the engine acts on all of it. */
export function toUnsettled(row: Row): QueuedMessage {
  toSubmission(row)
  return toQueuedMessage(row)
}

export const toHolder = (row: Row): Holder => ({
  submission: toSubmission(row),
  ...readHolder(row),
  content: () => readEach([row], toQueuedMessage)[0]
})

const readHolder = submissionMapper({ contentHash: Bytes, caller: Optional(Text) })

const readSignedTx = mapper('signed_tx', 'hash', {
  hash: Text,
  sequence: Count,
  bytes: Bytes,
  gasLimit: Count,
  feeAmount: Digits,
  submissionIds: Type.Array(Type.String())
})

/** Checks the hash, because the transaction can be resent and its messages signed again. */
export function toSignedTx(row: Row): SignedTx {
  const { feeAmount, ...signedTx } = readSignedTx(row)
  if (transactionHash(signedTx.bytes) !== signedTx.hash) throw damage('signed_tx', 'hash', row, 'bytes')
  return { ...signedTx, feeAmount: BigInt(feeAmount) }
}

const readWalletState = mapper('wallet_state', 'address', {
  address: Text,
  chainId: Text,
  accountNumber: Digits,
  nextSequence: Count,
  cursorHeight: Count,
  cursorHash: Text,
  cursorResultsHash: Text,
  controlPassed: Type.Integer({ minimum: 0, maximum: 1 })
})

export function toWalletState(row: Row): WalletState {
  const { accountNumber, controlPassed, ...state } = readWalletState(row)
  return { ...state, accountNumber: BigInt(accountNumber), controlPassed: controlPassed === 1 }
}

const Verification = Type.Object({
  height: Count,
  proven: Count,
  pruned: Count,
  differing: Type.Array(Type.Object({ height: Count, count: Count }))
})

export const toVerification = mapper('wallet_state', 'address', { verification: Optional(Verification) })

const readReport = mapper('wallet', 'wallet_id', {
  report: Type.Object({
    blockers: Type.Array(Type.Object({ kind: literals(BLOCKER_KINDS), reason: Type.String(), since: Text })),
    withoutTxId: Count,
    verification: Optional(Verification)
  }),
  ageMs: Type.Integer()
})

const readNotice = mapper('notice', 'kind', {
  kind: literals(BLOCKER_KINDS),
  reason: Type.String(),
  since: Time,
  awaySince: Optional(Time),
  isSent: Count
})

export function toNotice(row: Row): NoticeState {
  const { isSent, ...notice } = readNotice(row)
  return { ...notice, isSent: isSent === 1 }
}

export function toReport(row: Row): LeaderReport & { ageMs: number } {
  const { report, ageMs } = readReport(row)
  return { ...report, ageMs }
}

export const toCount = mapper('submission', '', { count: Count })
export const toTime = mapper('submission', '', { time: Optional(Time) })
export const toSlot = mapper('slot', 'sequence', { sequence: Count })
export const toEpoch = mapper('wallet', '', { epoch: Count })
export const toFeeId = mapper('quote', 'fee_id', { feeId: Text })
export const toKey = mapper('identity', '', { key: Type.String() })
/** Errors name the submission instead of the key, because the key contains a client's value. */
export const toBound = mapper('identity', 'held_by', {
  heldBy: Optional(Text),
  target: Optional(Text),
  owner: Optional(Text),
  identities: Count
})
/** The fees paid on a UTC day, in base units. */
export const toFeeDay = mapper('fee_day', 'day', { day: Count, amount: Digits })
export const toPaidFee = mapper('signed_tx', 'hash', { hash: Text, feeAmount: Digits })
