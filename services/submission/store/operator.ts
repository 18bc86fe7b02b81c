import { Type } from '@sinclair/typebox'
import { literals } from '../../schema-check.ts'
import type { DamageObserver, Submission } from '../contract.ts'
import { originalText } from '../identities.ts'
import { createEngineStore } from './engine-writes.ts'
import {
  createOutbox,
  type EventSelection,
  readEvents,
  redeliver,
  selected,
  type Webhooks
} from './outbox.ts'
import { EventKey, eventIdOf } from './payload.ts'
import { Count, mapper, readEach, Text, toRequest, toSignedTx, toSubmission, toWalletState } from './rows.ts'
import { isAnyOf, jsonArray, type Row, readOne, type StoreContext, sql } from './sql.ts'
import { nextEpoch, termWrites } from './term.ts'

/**
 * @param use `redeliver` allows changes to events; `own` allows any change, and needs all servers stopped
 * @returns the store; `lost` is aborted once other processes can open the store again
 */
export type OpenForOperator = (
  use: 'read' | 'redeliver' | 'own'
) => Promise<StoreContext & { lost?: AbortSignal }>

/** Creates the functions with which the operator tool opens a store. The caller must close every opened store. */
export function createOperatorAccess(open: OpenForOperator, webhooks?: Webhooks) {
  return {
    /**
     * Opens the store read-only, even while servers use it.
     * @throws DataDirectoryError, StoreUnavailableError if there is no store, or if its schema has a different version
     */
    async read() {
      const context = await open('read')
      return { queries: createOperatorQueries(context), close: context.database.close }
    },
    /**
     * Opens the store exclusively until it is closed, and upgrades it to this version's schema.
     * @throws DataDirectoryError, StoreUnavailableError if there is no store, or while servers use it
     */
    async own() {
      const context = await open('own')
      const { close } = context.database
      try {
        const write = termWrites(context, await nextEpoch(context), context.lost)
        const store = createEngineStore(context, write, webhooks && createOutbox(context, webhooks))
        return { store, queries: createOperatorQueries(context), close }
      } catch (error) {
        await close()
        throw error
      }
    },
    /**
     * Makes events due now, as if they had never been delivered. With PostgreSQL, servers may keep running.
     * @returns the number of events
     * @throws like `own`; with PostgreSQL like `read`
     */
    async redeliver(selection: EventSelection): Promise<number> {
      const context = await open('redeliver')
      return redeliver(context, selection).finally(context.database.close)
    }
  }
}

export type OperatorAccess = ReturnType<typeof createOperatorAccess>

export type OwnedStore = Omit<Awaited<ReturnType<OperatorAccess['own']>>, 'close'>

interface Selection {
  states: readonly Submission['status'][]
  /** Last changed before this time, in milliseconds since the epoch. */
  changedBefore?: number
  limit?: number
}

const ALL = Number.MAX_SAFE_INTEGER

const STORED = sql`submission.*, (SELECT ${jsonArray('key')} FROM identity
  WHERE identity.wallet_id = submission.wallet_id AND identity.submission_id = submission.submission_id) AS identities`

const readWhole = mapper('submission', 'submission_id', {
  identities: Type.Array(Type.String()),
  sequence: Type.Optional(Count)
})

export type StoredSubmission = ReturnType<typeof toWhole>

function toWhole(row: Row) {
  const { typeUrl, message } = toRequest(row)
  const { identities, sequence } = readWhole(row)
  return {
    submission: toSubmission(row),
    typeUrl,
    message,
    /** See `identityKey`. A rejected submission might have lost identities to later ones. */
    identities: identities.map(originalText),
    /** The slot that contains the submission; once settled, the slot that settled it. */
    sequence
  }
}

const toResolution = mapper('slot', 'sequence', {
  transactionHash: Text,
  height: Count,
  origin: literals(['own', 'foreign'])
})

const readEvent = mapper('event', 'submission_id', {
  ...EventKey.properties,
  state: literals(['pending', 'delivered', 'abandoned']),
  /** Since the event was written, or since an operator last requested redelivery. */
  attempts: Count,
  /** Why the last attempt failed. */
  problem: Type.Optional(Type.String())
})

function toEvent(row: Row) {
  const { problem, ...event } = readEvent(row)
  return { ...event, eventId: eventIdOf(event), problem }
}

export type OperatorQueries = ReturnType<typeof createOperatorQueries>

const failing: DamageObserver = damage => {
  throw damage
}

/** Creates the operator's queries for a wallet. Every method may throw StoreCorruptError. */
function createOperatorQueries({ database, wallet }: StoreContext) {
  const { all, get } = database
  const ofWallet = sql`wallet_id = ${wallet}`

  const stored = (submissionId: string) =>
    sql`SELECT ${STORED} FROM submission WHERE ${ofWallet} AND submission_id = ${submissionId}`

  return {
    walletState: () => readOne(database, sql`SELECT * FROM wallet_state WHERE ${ofWallet}`, toWalletState),
    /**
     * Lists submissions, oldest first.
     * @param onDamage called for damaged rows, which are left out. If omitted, a damaged row throws StoreCorruptError
     */
    async list({ states, changedBefore = ALL, limit = ALL }: Selection, onDamage = failing) {
      const rows = await all(
        sql`SELECT ${STORED} FROM submission
          WHERE ${ofWallet} AND status ${isAnyOf(states)} AND updated_at < ${changedBefore}
          ORDER BY position LIMIT ${limit}`
      )
      return readEach(rows, toWhole, onDamage)
    },
    find: (submissionId: string) => readOne(database, stored(submissionId), toWhole),
    /** The raw columns, which may be damaged. */
    columns: (submissionId: string) => get(stored(submissionId)),
    /** The transaction that consumed a slot; undefined while the slot is open. */
    resolution: (sequence: number) =>
      readOne(
        database,
        sql`SELECT * FROM slot WHERE ${ofWallet} AND sequence = ${sequence} AND origin IS NOT NULL`,
        toResolution
      ),
    /** Returns the signed transactions, oldest first. @param onDamage as for `list` */
    async signedTxs(sequence: number, onDamage = failing) {
      const rows = await all(
        sql`SELECT * FROM signed_tx WHERE ${ofWallet} AND sequence = ${sequence} ORDER BY position`
      )
      return readEach(rows, toSignedTx, onDamage)
    },
    events: async (selection: EventSelection) =>
      readEvents(await all(sql`SELECT * FROM event WHERE ${selected(wallet, selection)}`), toEvent)
  }
}
