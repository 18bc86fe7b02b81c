import { type TSchema, Type } from '@sinclair/typebox'
import { checkFor } from '../../../schema-check.ts'
import type { ImpedimentKind } from '../../types.ts'

/** The shapes of stored rows, checked where rows are read, and compiled once. */

const count = () => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const fromOne = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
/** Milliseconds since the epoch, within the range of a Date. */
const time = () => Type.Integer({ minimum: 0, maximum: 8.64e15 })
const text = () => Type.String({ minLength: 1 })
const json = () => Type.String()
const digits = () => Type.String({ pattern: '^[0-9]+$' })
/** Checked by `TableReader.bytes`: no schema describes both forms in which libsql returns a blob. */
const blob = () => Type.Unknown()
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const identified = { submission_id: text(), created_at: time(), updated_at: time() }

export const SubmissionIdOfRow = checkFor(Type.Object({ submission_id: text() }))

export const StatusOfRow = checkFor(
  Type.Object({
    status: Type.Union([
      Type.Literal('queued'),
      Type.Literal('broadcast'),
      Type.Literal('committed'),
      Type.Literal('rejected')
    ]),
    content_hash: blob()
  })
)
export const CallerRow = checkFor(Type.Object({ caller: orNull(text()) }))
export const QueuedSubmissionRow = checkFor(Type.Object(identified))
export const BroadcastSubmissionRow = checkFor(Type.Object({ ...identified, transaction_hash: text() }))
export const CommittedSubmissionRow = checkFor(
  Type.Object({
    ...identified,
    transaction_hash: text(),
    height: fromOne(),
    tx_id: orNull(fromOne()),
    gas_used: count(),
    gas_wanted: count(),
    events: json()
  })
)
export const RejectedSubmissionRow = checkFor(
  Type.Object({
    ...identified,
    transaction_hash: orNull(text()),
    height: orNull(fromOne()),
    error: json()
  })
)

/** A queued submission as the packer reads it. */
export const QueuedMessageRow = checkFor(
  Type.Object({
    submission_id: text(),
    content_hash: blob(),
    type_url: text(),
    message: blob()
  })
)

export const VariantRow = checkFor(
  Type.Object({
    hash: text(),
    sequence: count(),
    bytes: blob(),
    gas_limit: count(),
    fee_amount: digits(),
    submission_ids: json()
  })
)

export const AmountRow = checkFor(Type.Object({ amount: digits() }))
export const FeeDayRow = checkFor(Type.Object({ day: count(), amount: digits() }))
export const PaidFeeRow = checkFor(Type.Object({ hash: text(), fee_amount: digits() }))

export const HolderRow = checkFor(Type.Object({ key: Type.String() }))
export const EpochRow = checkFor(Type.Object({ epoch: count() }))
export const PositionRow = checkFor(Type.Object({ position: Type.Integer() }))

export const SignerRow = checkFor(
  Type.Object({
    address: text(),
    chain_id: text(),
    account_number: digits(),
    next_sequence: count(),
    cursor_height: count(),
    cursor_hash: text(),
    probe_passed: Type.Union([Type.Literal(0), Type.Literal(1)])
  })
)

export const CountRow = checkFor(Type.Object({ count: count() }))

export const TimeRow = checkFor(Type.Object({ time: orNull(time()) }))

export const VersionRow = checkFor(Type.Object({ user_version: count() }))
/** Of a database without damage. */
export const IntegrityRow = checkFor(Type.Object({ integrity_check: Type.Literal('ok') }))

/** The values of the JSON columns. */
export const RefusalJson = checkFor(
  Type.Object({ code: Type.Integer(), codespace: Type.String(), message: Type.String() })
)
export const EventsJson = checkFor(
  Type.Array(
    Type.Object({
      type: Type.String(),
      attributes: Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))
    })
  )
)
/** An empty one stands for a message whose submission has left the slot. */
export const SubmissionIdsJson = checkFor(Type.Array(Type.String()))

const IMPEDIMENT_KINDS: Record<ImpedimentKind, true> = {
  'node-unreachable': true,
  'looking-back': true,
  'wallet-unknown': true,
  'wallet-not-whitelisted': true,
  'requests-refused': true,
  'signer-unavailable': true,
  'insufficient-funds': true,
  'fee-too-high': true,
  'daily-fee-limit': true,
  'signature-refused': true,
  'transactions-refused': true,
  'foreign-chain': true,
  'unknown-transactions': true,
  'sequence-differs': true,
  'history-pruned': true,
  'nodes-disagree': true
}

/** A leader of a newer version may report kinds that this one does not know. */
export const isImpedimentKind = (kind: string): kind is ImpedimentKind =>
  Object.hasOwn(IMPEDIMENT_KINDS, kind)

export const ReportRow = checkFor(Type.Object({ report: json(), age: Type.Integer() }))
export const ReportJson = checkFor(
  Type.Object({
    impediments: Type.Array(Type.Object({ kind: text(), reason: Type.String(), since: text() })),
    loops: Type.Array(
      Type.Object({
        name: text(),
        sinceSuccessMs: Type.Optional(Type.Number()),
        failingMs: Type.Optional(Type.Number())
      })
    ),
    withoutTxId: count()
  })
)
