import { Type } from '@sinclair/typebox'
import { originalText } from '../identities.ts'
import type { Submission } from '../types.ts'
import { type EngineStore, OUTCOME, type Place, settlement } from './engine-writes.ts'
import {
  type EventRows,
  type EventSelection,
  type EventWriter,
  eventKey,
  events,
  readEvents,
  redelivering,
  selected
} from './outbox.ts'
import { eventIdOf } from './payload.ts'
import {
  bytes,
  count,
  type DamageObserver,
  json,
  oneOf,
  orNull,
  readEach,
  SUBMISSION_COLUMNS,
  submissions,
  table,
  text,
  time,
  toSignerState,
  toSubmission,
  toVariant
} from './rows.ts'
import { isAnyOf, jsonArray, type Queries, type Row, raw, rowsOf, type Sql, sql } from './sql.ts'
import { createTermWrites, expectChanges, type Home } from './term-writes.ts'
import type { Execution } from './types.ts'

/** How the operator's tool opens a store. What it opens must be closed. */
export interface OperatorAccess {
  /**
   * The store as it is, also while servers use it.
   * @throws DataDirectoryError, StoreUnavailableError when there is none, or when its schema is not this version's
   */
  read(): Promise<{ queries: OperatorQueries; close(): Promise<void> }>
  /**
   * The store for this process alone, brought to this version's schema. No server that uses it can run until it is closed.
   * @throws DataDirectoryError, StoreUnavailableError when there is none, or while servers use it
   */
  own(): Promise<OwnedStore & { close(): Promise<void> }>
  /**
   * The events for the receiver of webhooks, in a database also while servers use it.
   * @throws as `own`; in a database as `read`
   */
  events(): Promise<OperatorEvents & { close(): Promise<void> }>
}

/** The store with everything that an operator may change in it. */
export interface OwnedStore {
  store: EngineStore
  queries: OperatorQueries
  writes: OperatorWrites
}

/** Which submissions to list. */
export interface Selection {
  states: readonly Submission['status'][]
  /** Only those whose last change was before this time, in milliseconds since the epoch. */
  changedBefore: number
  limit: number
}

const ALL = Number.MAX_SAFE_INTEGER

/** Selects every submission of these states. */
export const everyOne = (...states: Submission['status'][]): Selection => ({
  states,
  changedBefore: ALL,
  limit: ALL
})

const readStored = submissions({
  identities: json(Type.Array(Type.String())),
  typeUrl: text,
  message: bytes,
  sequence: orNull(count)
})

/** The columns that `toStored` reads. */
const STORED = sql`${raw(SUBMISSION_COLUMNS)}, type_url, message, sequence,
  (SELECT ${jsonArray('key')} FROM identity WHERE identity.position = submission.position) AS identities`

/** A submission with everything that the store holds about it. */
export type StoredSubmission = ReturnType<typeof toStored>

function toStored(row: Row) {
  const { identities, sequence, ...stored } = readStored(row)
  return {
    ...stored,
    submission: toSubmission(row),
    /** Their keys, see `identityKey`. Later submissions have those of a refused one that are missing. */
    identities: identities.map(originalText),
    /** The slot that it is in; of a settled one, the slot that settled it. */
    sequence
  }
}

const slots = table('slot', 'sequence')
const readSlot = slots({ sequence: count, origin: orNull(oneOf('own', 'foreign')) })
const readResolution = slots({ transactionHash: text, height: count })

/** A slot as the store holds it. Its variants are gone once it is resolved. */
function toSlot(row: Row) {
  const { sequence, origin } = readSlot(row)
  return { sequence, resolution: origin && { ...readResolution(row), origin } }
}

const readEvent = events({
  ...eventKey,
  state: oneOf('pending', 'delivered', 'given-up'),
  /** Since it was written, or since an operator had it delivered again. */
  attempts: count,
  /** Of the last attempt that failed. */
  problem: orNull((value: unknown) => (typeof value === 'string' ? value : undefined)),
  /** When a pending event is delivered next, in milliseconds since the epoch, as all times here. */
  dueAt: time,
  watchDueAt: orNull(time),
  createdAt: time,
  updatedAt: time
})

/** An event for the receiver of webhooks, without its payload. */
export type StoredEvent = ReturnType<typeof toEvent>

function toEvent(row: Row) {
  const { watchDueAt, problem, ...event } = readEvent(row)
  return {
    ...event,
    eventId: eventIdOf(event),
    problem,
    /** Whether the submission's transfer is not final yet. */
    isWatched: watchDueAt !== undefined
  }
}

export type OperatorQueries = ReturnType<typeof createOperatorQueries>

/** What an operator reads of one wallet, beside what the engine reads. Every method throws StoreCorruptError. */
export function createOperatorQueries({ all, get }: Queries, wallet: number) {
  const ofWallet = sql`wallet_id = ${wallet}`

  async function one<T>(statement: Sql, read: (row: Row) => T): Promise<T | undefined> {
    const row = await get(statement)
    return row && read(row)
  }

  return {
    signer: () => one(sql`SELECT * FROM signer WHERE ${ofWallet}`, toSignerState),
    /** Oldest first. @param onDamage is told of damaged rows, which are left out; without it they throw */
    async list({ states, changedBefore, limit }: Selection, onDamage?: DamageObserver) {
      const rows = await all(
        sql`SELECT ${STORED} FROM submission
          WHERE ${ofWallet} AND status ${isAnyOf(states)} AND updated_at < ${changedBefore}
          ORDER BY position LIMIT ${limit}`
      )
      return onDamage ? readEach(rows, toStored, onDamage) : rows.map(toStored)
    },
    find: (submissionId: string) =>
      one(
        sql`SELECT ${STORED} FROM submission WHERE ${ofWallet} AND submission_id = ${submissionId}`,
        toStored
      ),
    /** The columns of a submission as they are, which throws for none of them. */
    columns: (submissionId: string) =>
      get(sql`SELECT ${STORED} FROM submission WHERE ${ofWallet} AND submission_id = ${submissionId}`),
    slot: (sequence: number) =>
      one(sql`SELECT * FROM slot WHERE ${ofWallet} AND sequence = ${sequence}`, toSlot),
    /** The variants of an open slot, oldest first. @param onDamage as for `list` */
    async variants(sequence: number, onDamage?: DamageObserver) {
      const rows = await all(
        sql`SELECT * FROM variant WHERE ${ofWallet} AND sequence = ${sequence} ORDER BY position`
      )
      return onDamage ? readEach(rows, toVariant, onDamage) : rows.map(toVariant)
    },
    /** Oldest first. */
    events: async (selection: EventSelection): Promise<EventRows<StoredEvent>> =>
      readEvents(
        await all(
          sql`SELECT position, ${readEvent.columns} FROM event WHERE ${selected(wallet, selection)}
            ORDER BY position`
        ),
        toEvent
      )
  }
}

export type OperatorWrites = ReturnType<typeof createOperatorWrites>

/**
 * What only an operator changes, while no server runs, in a term of the tool's own. In one database transaction.
 * @param options.events as for the engine
 */
export function createOperatorWrites(options: Home & { epoch: number; events?: EventWriter | undefined }) {
  const { wallet, now, events } = options
  const write = createTermWrites(options)
  const ofWallet = sql`wallet_id = ${wallet}`

  return {
    /**
     * Replaces the result of a committed submission by what the chain says of it in the same transaction. Where its status or
     * its id changes, its events for the receiver of webhooks are written anew.
     */
    correct: (execution: Execution, place: Place) =>
      write(async transaction => {
        const { run } = transaction
        const { submissionId, status } = execution
        const txId = execution.status === 'committed' ? (execution.txId ?? null) : null
        if (events) {
          await run(
            sql`DELETE FROM event WHERE ${ofWallet} AND submission_id IN (
              SELECT submission_id FROM submission WHERE ${ofWallet} AND submission_id = ${submissionId}
                AND (status <> ${status} OR tx_id IS DISTINCT FROM CAST(${txId} AS BIGINT)))`
          )
        }
        await expectChanges(
          1,
          run(
            sql`UPDATE submission
              SET status = result.status, tx_id = result.tx_id, gas_used = result.gas_used,
                  gas_wanted = result.gas_wanted, events = result.events, error = result.error, updated_at = ${now()}
              FROM ${rowsOf('result', wallet, OUTCOME, [settlement(execution, place)])}
              WHERE submission.wallet_id = result.wallet_id AND submission.submission_id = result.submission_id
                AND submission.status = 'committed' AND submission.transaction_hash = result.transaction_hash
                AND submission.height = result.height`
          ),
          `${submissionId} has changed`
        )
        await events?.writeSettled(transaction, [submissionId])
      })
  }
}

export type OperatorEvents = ReturnType<typeof createOperatorEvents>

/**
 * What an operator does to events, also beside servers: each claim and each outcome of theirs is a transaction of its own.
 * @param run one statement as a transaction, which may take long
 */
export const createOperatorEvents = (run: Queries['run'], { wallet, now }: Omit<Home, 'database'>) => ({
  /** Makes events due now, as if they had never been delivered, in one database transaction. @returns how many */
  redeliver: (selection: EventSelection) => run(redelivering(wallet, now(), selection))
})
