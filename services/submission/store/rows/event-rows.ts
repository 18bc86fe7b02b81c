import { Type } from '@sinclair/typebox'
import { checkFor } from '../../../schema-check.ts'
import type { StoreCorruptError } from '../errors.ts'
import type { StoredEvent } from '../operator-store.ts'
import type { Backlog, OutboxEvent, WatchedTransfer } from '../outbox.ts'
import { eventIdOf, type NewEvent, submissionSettled } from '../payload.ts'
import { toSubmission } from './index.ts'
import { type DamageObserver, readEach } from './read-each.ts'
import { createTableReader } from './table-reader.ts'

const events = createTableReader('event', 'submission_id')

const count = () => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const time = () => Type.Integer({ minimum: 0, maximum: 8.64e15 })
const text = () => Type.String({ minLength: 1 })

const keyed = {
  submission_id: text(),
  type: Type.Union([
    Type.Literal('submission.committed'),
    Type.Literal('submission.rejected'),
    Type.Literal('transfer.finished')
  ])
}

const submissions = createTableReader('submission', 'submission_id')

/** The columns that `toSettledEvents` reads beside those of a submission. */
export const REQUEST_COLUMNS = 'type_url, message'

const RequestRow = checkFor(Type.Object({ type_url: text(), message: Type.Unknown() }))

/** The columns that `toOutboxEvents` reads. */
export const EVENT_COLUMNS = 'position, submission_id, type, payload, created_at, attempts, redeliveries'

/** Of a claimed event, so there is at least one attempt. */
const EventRow = checkFor(
  Type.Object({
    ...keyed,
    payload: text(),
    created_at: time(),
    attempts: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    redeliveries: count()
  })
)

const Payload = checkFor(
  Type.Object({ type: Type.String(), timestamp: Type.String(), data: Type.Object({}) })
)

/** The columns that `toWatchedTransfers` reads. */
export const WATCHED_COLUMNS = 'position, submission_id, payload, created_at'

const WatchedRow = checkFor(Type.Object({ submission_id: text(), payload: text(), created_at: time() }))

const decimal = () => Type.Optional(Type.String())

/** The parts of a committed submission's event that the event of its transfer repeats. */
const CommittedPayload = checkFor(
  Type.Object({
    data: Type.Object({
      kind: Type.Union([Type.Literal('transfer'), Type.Literal('swap')]),
      submission: Type.Object({ txId: Type.Integer({ minimum: 1 }) }),
      request: Type.Object({
        feeId: Type.Optional(Type.String()),
        transactionIdSeed: Type.Optional(Type.String()),
        originChain: Type.String(),
        originAddress: Type.String(),
        originSymbol: Type.String(),
        targetChain: Type.String(),
        targetAddress: Type.String(),
        targetSymbol: Type.String(),
        amount: decimal(),
        amountIn: decimal(),
        amountOut: decimal(),
        fee: Type.String()
      })
    })
  })
)

const BacklogRow = checkFor(
  Type.Object({
    pending: count(),
    // Whatever a damaged row has there: the other numbers must not be missing because of it.
    oldest: Type.Union([Type.Integer(), Type.Null()]),
    given_up: count(),
    watched: count()
  })
)

/** The columns that `toStoredEvents` reads. */
export const STORED_EVENT_COLUMNS =
  'position, submission_id, type, state, attempts, problem, due_at, watch_due_at, created_at, updated_at'

const StoredEventRow = checkFor(
  Type.Object({
    ...keyed,
    state: Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('given-up')]),
    attempts: count(),
    problem: Type.Union([Type.String(), Type.Null()]),
    due_at: time(),
    watch_due_at: Type.Union([time(), Type.Null()]),
    created_at: time(),
    updated_at: time()
  })
)

/** The events of settled submissions. A damaged one has none: the others must be settled all the same. */
export function toSettledEvents(rows: readonly unknown[], onDamage: DamageObserver): NewEvent[] {
  return readEach(rows, toSettledEvent, onDamage).flat()
}

/** @throws StoreCorruptError, as every function here that reads one row */
function toSettledEvent(row: unknown): NewEvent[] {
  const submission = toSubmission(row)
  if (submission.status !== 'committed' && submission.status !== 'rejected') return []
  const { type_url: typeUrl, message } = submissions.row(RequestRow, row)
  return [submissionSettled({ submission, typeUrl, message: submissions.bytes(message, row, 'message') })]
}

const Place = checkFor(Type.Object({ position: count() }))

/** A damaged row of the table `event`, and what is wrong with it. */
export interface DamagedEvent {
  position: number
  damage: StoreCorruptError
}

/** Rows of the table `event`, of which each is read for itself, so that a damaged one keeps no other from being read. */
export interface EventRows<T> {
  /** In the order in which they were written. */
  readable: T[]
  damaged: DamagedEvent[]
}

function readInOrder<T>(rows: readonly unknown[], read: (row: unknown) => T): EventRows<T> {
  const placed = rows.map(row => ({ row, position: events.row(Place, row).position }))
  placed.sort((a, b) => a.position - b.position)
  const damaged: DamagedEvent[] = []
  const readable = readEach(
    placed,
    ({ row }) => read(row),
    (damage, { position }) => damaged.push({ position, damage })
  )
  return { readable, damaged }
}

export const toOutboxEvents = (rows: readonly unknown[]) => readInOrder(rows, toOutboxEvent)

function toOutboxEvent(row: unknown): OutboxEvent {
  const { submission_id: submissionId, type, payload, ...numbers } = events.row(EventRow, row)
  // What is no event must not go out with a signature.
  events.json(Payload, payload, row, 'payload')
  const { created_at: createdAt, attempts, redeliveries } = numbers
  const eventId = eventIdOf({ submissionId, type })
  return { eventId, submissionId, type, payload, createdAt, attempts, redeliveries }
}

export const toWatchedTransfers = (rows: readonly unknown[]) => readInOrder(rows, toWatchedTransfer)

function toWatchedTransfer(row: unknown): WatchedTransfer {
  const { submission_id, payload, created_at } = events.row(WatchedRow, row)
  const { kind, submission, request } = events.json(CommittedPayload, payload, row, 'payload').data
  return { submissionId: submission_id, txId: submission.txId, kind, request, committedAt: created_at }
}

export function toBacklog(row: unknown): Backlog {
  const { pending, oldest, given_up: givenUp, watched } = events.row(BacklogRow, row)
  return { pending, oldestPendingAt: oldest ?? undefined, givenUp, watched }
}

export const toStoredEvents = (rows: readonly unknown[]) => readInOrder(rows, toStoredEvent)

function toStoredEvent(row: unknown): StoredEvent {
  const stored = events.row(StoredEventRow, row)
  const key = { submissionId: stored.submission_id, type: stored.type }
  return {
    ...key,
    eventId: eventIdOf(key),
    state: stored.state,
    attempts: stored.attempts,
    problem: stored.problem ?? undefined,
    dueAt: stored.due_at,
    isWatched: stored.watch_due_at !== null,
    createdAt: stored.created_at,
    updatedAt: stored.updated_at
  }
}
