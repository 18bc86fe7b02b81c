import type { Submission } from '../types.ts'
import type { EngineStore } from './engine-store.ts'
import type { EventKey } from './outbox.ts'
import type { EventRows } from './rows/event-rows.ts'
import type { DamageObserver } from './rows/read-each.ts'
import type { Execution, SignerState, Variant } from './types.ts'

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

/** A submission with everything that the store holds about it. */
export interface StoredSubmission {
  submission: Submission
  /** Their keys, see `identityKey`. Later submissions have those of a refused one that are missing. */
  identities: string[]
  typeUrl: string
  message: Uint8Array
  /** The slot that it is in; of a settled one, the slot that settled it. */
  sequence: number | undefined
}

/** A slot as the store holds it. Its variants are gone once it is resolved. */
export interface StoredSlot {
  sequence: number
  resolution: { transactionHash: string; origin: 'own' | 'foreign'; height: number } | undefined
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

/** An event for the receiver of webhooks, without its payload. */
export interface StoredEvent extends EventKey {
  eventId: string
  state: EventState
  /** Since it was written, or since an operator had it delivered again. */
  attempts: number
  /** Of the last attempt that failed. */
  problem: string | undefined
  /** When a pending event is delivered next, in milliseconds since the epoch, as all times here. */
  dueAt: number
  /** Whether the submission's transfer is not final yet. */
  isWatched: boolean
  createdAt: number
  updatedAt: number
}

export type EventState = 'pending' | 'delivered' | 'given-up'

/** Which events an operator means; those that have all that is named. */
export interface EventSelection {
  state?: EventState
  submissionId?: string
}

/** What an operator reads from the store, beside what the engine reads. Every method throws StoreCorruptError. */
export interface OperatorQueries {
  signer(): Promise<SignerState | undefined>
  /** Oldest first. @param onDamage is told of damaged rows, which are left out; without it they throw */
  list(selection: Selection, onDamage?: DamageObserver): Promise<StoredSubmission[]>
  find(submissionId: string): Promise<StoredSubmission | undefined>
  /** The columns of a submission as they are, which throws for none of them. */
  columns(submissionId: string): Promise<Record<string, unknown> | undefined>
  slot(sequence: number): Promise<StoredSlot | undefined>
  /** The variants of an open slot, oldest first. @param onDamage as for `list` */
  variants(sequence: number, onDamage?: DamageObserver): Promise<Variant[]>
  /** Oldest first. */
  events(selection: EventSelection): Promise<EventRows<StoredEvent>>
}

/** Where the chain executed something. */
export interface Place {
  transactionHash: string
  height: number
}

/** What only an operator may change, while no server runs. In one database transaction. */
export interface OperatorWrites {
  /**
   * Replaces the result of a committed submission by what the chain says of it in the same transaction. Where its status or
   * its id changes, its events for the receiver of webhooks are written anew.
   */
  correct(execution: Execution, place: Place): Promise<void>
}

/** What an operator may do to events. */
export interface OperatorEvents {
  /** Makes events due now, as if they had never been delivered, in one database transaction. @returns how many */
  redeliver(selection: EventSelection): Promise<number>
}

/** The columns that a settled submission gets; those that are left out are NULL. */
export function settlement(execution: Execution, { transactionHash, height }: Place) {
  const { submissionId, status } = execution
  const base = { submission_id: submissionId, status, transaction_hash: transactionHash, height }
  if (execution.status === 'rejected') return { ...base, error: JSON.stringify(execution.error) }
  const { txId, gasUsed, gasWanted, events } = execution
  return { ...base, tx_id: txId, gas_used: gasUsed, gas_wanted: gasWanted, events: JSON.stringify(events) }
}
