import { identityKey } from '../../identities.ts'
import type { Identity, Submission } from '../../types.ts'
import { toCount, toSignerState, toVariant } from '../rows/index.ts'
import type { SignerState, Variant } from '../types.ts'
import type { Connection } from './database.ts'
import {
  STORED_COLUMNS,
  type StoredSlot,
  type StoredSubmission,
  toStoredSlot,
  toStoredSubmission
} from './operator-rows.ts'

export type { StoredSlot, StoredSubmission } from './operator-rows.ts'

/** Which submissions to list. */
export interface Selection {
  states: readonly Submission['status'][]
  /** Only those whose last change was before this time, in milliseconds since the epoch. */
  changedBefore: number
  limit: number
}

/** What an operator reads from the store, beside what the engine reads. Every method throws StoreCorruptError. */
export interface OperatorQueries {
  signer(): SignerState | undefined
  /** Oldest first. */
  list(selection: Selection): StoredSubmission[]
  find(submissionId: string): StoredSubmission | undefined
  withIdentity(identity: Identity): StoredSubmission | undefined
  slot(sequence: number): StoredSlot | undefined
  /** The highest transaction id of a committed submission; 0 without one. */
  newestTxId(): number
  /** Open slots in sequence order. */
  openSlots(): StoredSlot[]
  /** The variants of an open slot, oldest first. */
  variants(sequence: number): Variant[]
}

const ALL = Number.MAX_SAFE_INTEGER

/** Selects every submission of these states. */
export const everyOne = (...states: Submission['status'][]): Selection => ({
  states,
  changedBefore: ALL,
  limit: ALL
})

export function createOperatorQueries(connection: Connection): OperatorQueries {
  const signer = connection.prepare('SELECT * FROM signer')
  const list = connection.prepare(
    `SELECT ${STORED_COLUMNS} FROM submission
     WHERE status IN (SELECT value FROM json_each(:states)) AND updated_at < :changedBefore
     ORDER BY position LIMIT :limit`
  )
  const find = connection.prepare(
    `SELECT ${STORED_COLUMNS} FROM submission WHERE submission_id = :submissionId`
  )
  const withIdentity = connection.prepare(
    `SELECT ${STORED_COLUMNS} FROM submission
     WHERE position = (SELECT position FROM identity WHERE key = :key)`
  )
  const slot = connection.prepare('SELECT * FROM slot WHERE sequence = :sequence')
  const newestTxId = connection.prepare('SELECT coalesce(max(tx_id), 0) AS count FROM submission')
  const openSlots = connection.prepare('SELECT * FROM slot WHERE origin IS NULL ORDER BY sequence')
  const variants = connection.prepare('SELECT * FROM variant WHERE sequence = :sequence ORDER BY position')
  const stored = (row: unknown) => (row === undefined ? undefined : toStoredSubmission(row))

  return {
    signer() {
      const row: unknown = signer.get({})
      return row === undefined ? undefined : toSignerState(row)
    },
    list: ({ states, changedBefore, limit }) =>
      list.all({ states: JSON.stringify(states), changedBefore, limit }).map(toStoredSubmission),
    find: submissionId => stored(find.get({ submissionId })),
    withIdentity: identity => stored(withIdentity.get({ key: identityKey(identity) })),
    slot(sequence) {
      const row: unknown = slot.get({ sequence })
      return row === undefined ? undefined : toStoredSlot(row)
    },
    newestTxId: () => toCount(newestTxId.get({})),
    openSlots: () => openSlots.all({}).map(toStoredSlot),
    variants: sequence => variants.all({ sequence }).map(toVariant)
  }
}
