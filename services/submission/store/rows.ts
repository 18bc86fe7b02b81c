import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { transactionHash } from '../../chain-client/index.ts'
import { parseJson } from '../../json.ts'
import { checkFor } from '../../schema-check.ts'
import { contentHash } from '../identities.ts'
import { BLOCKER_KINDS, type Submission } from '../types.ts'
import { StoreCorruptError } from './errors.ts'
import { columnOf, type Row, raw } from './sql.ts'
import type { LeaderReport, QueuedMessage, SignerState, Variant } from './types.ts'

/** Reads a value of a column: undefined for a damaged one. NULL is read as null where it may be. */
export type Column<T> = (value: unknown) => T | undefined

type Fields = Readonly<Record<string, Column<unknown>>>
type Value<C> = C extends Column<infer T> ? T : never
type Optional<F> = { [K in keyof F]: null extends Value<F[K]> ? K : never }[keyof F]

/** What a row is read as. What is NULL is left out. */
type Values<F extends Fields> = { [K in Exclude<keyof F, Optional<F>>]: Value<F[K]> } & {
  [K in Optional<F>]?: NonNullable<Value<F[K]>>
}

export const integer =
  (least: number, most = Number.MAX_SAFE_INTEGER): Column<number> =>
  value =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? value
      : undefined

export const count = integer(0)
/** Milliseconds since the epoch, within the range of a Date. */
export const time = integer(0, 8.64e15)
export const anyText: Column<string> = value => (typeof value === 'string' ? value : undefined)
export const text: Column<string> = value => anyText(value) || undefined
/** libsql reads a blob as a Buffer in a single row and as an ArrayBuffer in one of many. */
export const bytes: Column<Uint8Array> = value =>
  value instanceof Uint8Array || value instanceof ArrayBuffer ? new Uint8Array(value) : undefined

const fromOne = integer(1)
const isoTime: Column<string> = value => {
  const at = time(value)
  return at === undefined ? undefined : new Date(at).toISOString()
}
const digits: Column<bigint> = value =>
  typeof value === 'string' && /^[0-9]+$/.test(value) ? BigInt(value) : undefined
const flag: Column<boolean> = value => (value === 0 || value === 1 ? value === 1 : undefined)

export const oneOf =
  <T extends string>(...words: T[]): Column<T> =>
  value =>
    words.find(word => word === value)

export const orNull =
  <T>(column: Column<T>): Column<T | null> =>
  value =>
    value === null ? null : column(value)

export function json<T extends TSchema>(schema: T): Column<Static<T>> {
  const shape = checkFor(schema)
  return value => {
    const parsed = typeof value === 'string' ? parseJson(value) : undefined
    return shape.Check(parsed) ? parsed : undefined
  }
}

/** The error of a row whose column is damaged. @param key the column by which it names the row */
function damage(table: string, key: string, row: Row | undefined, column: string): StoreCorruptError {
  const name = row?.[key]
  const isName = typeof name === 'string' || typeof name === 'number'
  return new StoreCorruptError(table, isName ? String(name) : 'unknown', column)
}

/** A reader of one column. It throws StoreCorruptError for a damaged value. */
export function cell<T>(
  table: string,
  key: string,
  column: string,
  read: Column<T>
): (row: Row | undefined) => T {
  return row => {
    const value = read(row?.[column])
    if (value === undefined) throw damage(table, key, row, column)
    return value
  }
}

/** Readers of rows of a table. @param key the column by which an error names the row */
export function table(name: string, key: string) {
  /** A reader of some columns, with their names for a statement. Of `typeUrl`, the column is `type_url`. */
  return <F extends Fields>(
    fields: F
  ): ((row: Row | undefined) => Values<F>) & { columns: ReturnType<typeof raw> } => {
    const columns = Object.keys(fields).map(columnOf)
    const cells = Object.entries(fields).map(
      ([field, read], index) => [field, cell(name, key, columns[index] ?? field, read)] as const
    )
    const readRow = (row: Row | undefined): Values<F> => {
      const values: unknown[][] = cells.map(([field, read]) => [field, read(row)])
      return Object.fromEntries(values.filter(([, value]) => value !== null))
    }
    return Object.assign(readRow, { columns: raw(columns.join(', ')) })
  }
}

/** Is told of a row that is left out because it is damaged. */
export type DamageObserver = (damage: StoreCorruptError) => void

/** Reads each row for itself, so that a damaged one keeps no other from being read. */
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

export const submissions = table('submission', 'submission_id')
const variants = table('variant', 'hash')

const refusal = json(Type.Object({ code: Type.Integer(), codespace: Type.String(), message: Type.String() }))
const chainEvents = json(
  Type.Array(
    Type.Object({
      type: Type.String(),
      attributes: Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))
    })
  )
)

export const toSubmissionId = cell('submission', 'submission_id', 'submission_id', text)
export const statusOf = cell(
  'submission',
  'submission_id',
  'status',
  oneOf('queued', 'broadcast', 'committed', 'rejected')
)
/** The hash of the submission's content. */
export const contentHashOf = cell('submission', 'submission_id', 'content_hash', bytes)

const readCaller = cell('submission', 'submission_id', 'caller', orNull(text))

/** Whose API key it came with. */
export const callerOf = (row: Row): string | undefined => readCaller(row) ?? undefined

const base = { submissionId: text, createdAt: isoTime, updatedAt: isoTime }

const readers: { [S in Submission['status']]: (row: Row) => Extract<Submission, { status: S }> } = {
  queued: submissions({ ...base, status: oneOf('queued') }),
  broadcast: submissions({ ...base, status: oneOf('broadcast'), transactionHash: text }),
  committed: submissions({
    ...base,
    status: oneOf('committed'),
    txId: orNull(fromOne),
    transactionHash: text,
    height: fromOne,
    gasUsed: count,
    gasWanted: count,
    events: chainEvents
  }),
  rejected: submissions({
    ...base,
    status: oneOf('rejected'),
    error: refusal,
    transactionHash: orNull(text),
    height: orNull(fromOne)
  })
}

/** The columns that `toSubmission`, `contentHashOf` and `callerOf` read. */
export const SUBMISSION_COLUMNS =
  'submission_id, content_hash, status, transaction_hash, height, tx_id, gas_used, gas_wanted, events, error, ' +
  'created_at, updated_at, caller'

export const toSubmission = (row: Row): Submission => readers[statusOf(row)](row)

const readQueued = submissions({ submissionId: text, contentHash: bytes, typeUrl: text, message: bytes })

export const QUEUED_COLUMNS = readQueued.columns

/** What was accepted: nothing else may be executed. */
export function toQueuedMessage(row: Row): QueuedMessage {
  const { contentHash: accepted, ...queued } = readQueued(row)
  if (!contentHash(queued.typeUrl, queued.message).equals(accepted))
    throw damage('submission', 'submission_id', row, 'message')
  return queued
}

const readVariant = variants({
  hash: text,
  sequence: count,
  bytes,
  gasLimit: count,
  feeAmount: digits,
  // An empty one stands for a message whose submission has left the slot.
  submissionIds: json(Type.Array(Type.String()))
})

export const VARIANT_COLUMNS = readVariant.columns

/** What was signed: its messages may be signed again. */
export function toVariant(row: Row): Variant {
  const variant = readVariant(row)
  if (transactionHash(variant.bytes) !== variant.hash) throw damage('variant', 'hash', row, 'bytes')
  return variant
}

export const toSignerState: (row: Row) => SignerState = table(
  'signer',
  'address'
)({
  address: text,
  chainId: text,
  accountNumber: digits,
  nextSequence: count,
  cursorHeight: count,
  cursorHash: text,
  probePassed: flag
})

/** A leader of a newer version may report kinds that this one does not know. */
const blockerKind = oneOf(...BLOCKER_KINDS)

const nonEmpty = Type.String({ minLength: 1 })

const readReport = table(
  'wallet',
  'wallet_id'
)({
  report: json(
    Type.Object({
      blockers: Type.Array(Type.Object({ kind: nonEmpty, reason: Type.String(), since: nonEmpty })),
      loops: Type.Array(
        Type.Object({
          name: nonEmpty,
          sinceSuccessMs: Type.Optional(Type.Number()),
          failingMs: Type.Optional(Type.Number())
        })
      ),
      withoutTxId: Type.Integer({ minimum: 0 })
    })
  ),
  ageMs: integer(Number.MIN_SAFE_INTEGER)
})

export function toReport(row: Row): LeaderReport & { ageMs: number } {
  const { report, ageMs } = readReport(row)
  const blockers = report.blockers.flatMap(({ kind: word, ...rest }) => {
    const kind = blockerKind(word)
    return kind ? { kind, ...rest } : []
  })
  const loops = report.loops.map(({ name, sinceSuccessMs, failingMs }) => ({
    name,
    sinceSuccessMs,
    failingMs
  }))
  return { ...report, blockers, loops, ageMs }
}

/** The one row of a query for `count`. */
export const toCount = cell('submission', '', 'count', count)
/** The one row of a query for a `time`. */
export const toTime = cell('submission', '', 'time', orNull(time))
export const toPosition = cell('submission', '', 'position', integer(Number.MIN_SAFE_INTEGER))
export const toEpoch = cell('wallet', '', 'epoch', count)
/** The key of an identity in a row of its submission. */
export const toHolder = cell('identity', '', 'key', anyText)
/** An `amount` of base units. */
export const toAmount = cell('fee_day', 'day', 'amount', digits)
/** The fees that were paid on a day, as `utcDayNumber`. */
export const toFeeDay = table('fee_day', 'day')({ day: count, amount: digits })
/** The hash of a signed transaction, and its fee. */
export const toPaidFee = variants({ hash: text, feeAmount: digits })
