import { Type } from '@sinclair/typebox'
import { checkFor } from '../../../schema-check.ts'
import type { Backlog, OutboxEvent, WatchedTransfer } from '../../../webhooks/outbox.ts'
import { eventIdOf, type NewEvent, submissionSettled } from '../../../webhooks/payload.ts'
import type { StoredEvent } from '../operator-store.ts'
import { toSubmission } from './index.ts'
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
export const EVENT_COLUMNS = 'position, submission_id, type, payload, created_at, attempts'

const EventRow = checkFor(
  Type.Object({
    ...keyed,
    position: count(),
    payload: text(),
    created_at: time(),
    attempts: count()
  })
)

/** The columns that `toWatchedTransfer` reads. */
export const WATCHED_COLUMNS = 'submission_id, payload, created_at'

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
    oldest: Type.Union([time(), Type.Null()]),
    given_up: count(),
    watched: count()
  })
)

/** The columns that `toStoredEvent` reads. */
export const STORED_EVENT_COLUMNS =
  'submission_id, type, state, attempts, problem, due_at, watch_due_at, created_at, updated_at'

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

/** The events of settled submissions. @throws StoreCorruptError, as every function here */
export function toSettledEvents(rows: readonly unknown[]): NewEvent[] {
  return rows.flatMap(row => {
    const submission = toSubmission(row)
    if (submission.status !== 'committed' && submission.status !== 'rejected') return []
    const { type_url: typeUrl, message } = submissions.row(RequestRow, row)
    return submissionSettled({ submission, typeUrl, message: submissions.bytes(message, row, 'message') })
  })
}

/** The events in the order in which they were written. */
export function toOutboxEvents(rows: readonly unknown[]): OutboxEvent[] {
  const read = rows.map(row => events.row(EventRow, row)).sort((a, b) => a.position - b.position)
  return read.map(({ submission_id: submissionId, type, payload, created_at: createdAt, attempts }) => ({
    eventId: eventIdOf({ submissionId, type }),
    submissionId,
    type,
    payload,
    createdAt,
    attempts
  }))
}

export function toWatchedTransfer(row: unknown): WatchedTransfer {
  const { submission_id, payload, created_at } = events.row(WatchedRow, row)
  const { kind, submission, request } = events.json(CommittedPayload, payload, row, 'payload').data
  return { submissionId: submission_id, txId: submission.txId, kind, request, committedAt: created_at }
}

export function toBacklog(row: unknown): Backlog {
  const { pending, oldest, given_up: givenUp, watched } = events.row(BacklogRow, row)
  return { pending, oldestPendingAt: oldest ?? undefined, givenUp, watched }
}

export function toStoredEvent(row: unknown): StoredEvent {
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
