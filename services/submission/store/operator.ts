import { Type } from '@sinclair/typebox'
import { originalText } from '../identities.ts'
import type { Submission } from '../types.ts'
import { createEngineStore } from './engine-writes.ts'
import {
  createOutbox,
  type EventRows,
  type EventSelection,
  readEvents,
  redeliver,
  selected,
  type Webhooks
} from './outbox.ts'
import { EventKey, eventIdOf } from './payload.ts'
import {
  Count,
  type DamageObserver,
  mapper,
  readEach,
  Text,
  Time,
  toRequest,
  toSignedTx,
  toWalletState,
  toSubmission
} from './rows.ts'
import { type Home, isAnyOf, jsonArray, type Row, type Sql, sql } from './sql.ts'
import { nextEpoch, termWrites } from './term.ts'

/**
 * Opens a store for the operator's tool. The caller must close what it opens.
 * @param options.webhooks as for the server
 */
export function createOperatorAccess(options: {
  webhooks: Webhooks | undefined
  openToRead(): Promise<Home>
  /** Opens the store to change events. */
  open(): Promise<Home>
  /** @returns with `lost`, which is aborted once other processes can open the store again */
  openAlone(): Promise<Home & { lost?: AbortSignal }>
}) {
  return {
    /**
     * Opens the store as it is, even while servers use it.
     * @throws DataDirectoryError, StoreUnavailableError if there is none, or if its schema has another version
     */
    async read() {
      const home = await options.openToRead()
      return { queries: createOperatorQueries(home), close: home.database.close }
    },
    /**
     * Opens the store for this process alone, and upgrades it to this version's schema. No server that uses it can run
     * until it is closed.
     * @throws DataDirectoryError, StoreUnavailableError if there is none, or while servers use it
     */
    async own() {
      const home = await options.openAlone()
      const { close } = home.database
      try {
        const write = termWrites(home, await nextEpoch(home), home.lost)
        const store = createEngineStore(home, write, options.webhooks && createOutbox(home, options.webhooks))
        return { store, queries: createOperatorQueries(home), close }
      } catch (error) {
        await close()
        throw error
      }
    },
    /**
     * Makes events due now, as if they had never been delivered. In PostgreSQL this works even while servers use the
     * store: each of their claims and outcomes is a separate transaction.
     * @returns how many
     * @throws as `own`; in PostgreSQL as `read`
     */
    async redeliver(selection: EventSelection): Promise<number> {
      const home = await options.open()
      return redeliver(home, selection).finally(home.database.close)
    }
  }
}

export type OperatorAccess = ReturnType<typeof createOperatorAccess>

/** The store with everything that an operator may change in it. */
export type OwnedStore = Omit<Awaited<ReturnType<OperatorAccess['own']>>, 'close'>

/** Which submissions to list. */
export interface Selection {
  states: readonly Submission['status'][]
  /** Only submissions last changed before this time, in milliseconds since the epoch. */
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

const STORED = sql`submission.*, (SELECT ${jsonArray('key')} FROM identity
  WHERE identity.wallet_id = submission.wallet_id AND identity.submission_id = submission.submission_id) AS identities`

const readWhole = mapper('submission', 'submission_id', {
  identities: Type.Array(Type.String()),
  sequence: Type.Optional(Count)
})

/** A submission with everything that the store has about it. */
export type StoredSubmission = ReturnType<typeof toWhole>

function toWhole(row: Row) {
  const { typeUrl, message } = toRequest(row)
  const { identities, sequence } = readWhole(row)
  return {
    submission: toSubmission(row),
    typeUrl,
    message,
    /** The identity keys, see `identityKey`. Those that a refused submission lacks belong to later submissions. */
    identities: identities.map(originalText),
    /** The slot that contains the submission; once settled, the slot that settled it. */
    sequence
  }
}

const Origin = Type.Union([Type.Literal('own'), Type.Literal('foreign')])
const toOpenSlot = mapper('slot', 'sequence', { sequence: Count, origin: Type.Optional(Origin) })
const toResolution = mapper('slot', 'sequence', { transactionHash: Text, height: Count, origin: Origin })

/** A slot as stored. Its signed transactions are deleted once it is resolved. */
function toSlot(row: Row) {
  const { sequence, origin } = toOpenSlot(row)
  return { sequence, resolution: origin && toResolution(row) }
}

const readEvent = mapper('event', 'submission_id', {
  ...EventKey.properties,
  state: Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('given-up')]),
  /** Attempts since the event was written, or since an operator last requested redelivery. */
  attempts: Count,
  /** The problem of the last failed attempt. */
  problem: Type.Optional(Type.String()),
  /** When a pending event is due, in milliseconds since the epoch, like all times here. */
  dueAt: Time,
  watchDueAt: Type.Optional(Time),
  createdAt: Time,
  updatedAt: Time
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

/** Queries of one wallet for operators, in addition to those of the engine. Every method throws StoreCorruptError. */
function createOperatorQueries({ database: { all, get }, wallet }: Home) {
  const ofWallet = sql`wallet_id = ${wallet}`

  const readRows = <T>(rows: readonly Row[], read: (row: Row) => T, onDamage?: DamageObserver) =>
    onDamage ? readEach(rows, read, onDamage) : rows.map(read)

  async function one<T>(statement: Sql, read: (row: Row) => T): Promise<T | undefined> {
    const row = await get(statement)
    return row && read(row)
  }

  const stored = (submissionId: string) =>
    sql`SELECT ${STORED} FROM submission WHERE ${ofWallet} AND submission_id = ${submissionId}`

  return {
    walletState: () => one(sql`SELECT * FROM wallet_state WHERE ${ofWallet}`, toWalletState),
    /** Oldest first. @param onDamage called for damaged rows, which are left out; without it they throw */
    async list({ states, changedBefore, limit }: Selection, onDamage?: DamageObserver) {
      const rows = await all(
        sql`SELECT ${STORED} FROM submission
          WHERE ${ofWallet} AND status ${isAnyOf(states)} AND updated_at < ${changedBefore}
          ORDER BY position LIMIT ${limit}`
      )
      return readRows(rows, toWhole, onDamage)
    },
    find: (submissionId: string) => one(stored(submissionId), toWhole),
    /** The raw columns of a submission. Never throws for a damaged one. */
    columns: (submissionId: string) => get(stored(submissionId)),
    slot: (sequence: number) =>
      one(sql`SELECT * FROM slot WHERE ${ofWallet} AND sequence = ${sequence}`, toSlot),
    /** The signed transactions of an open slot, oldest first. @param onDamage as for `list` */
    async signedTxs(sequence: number, onDamage?: DamageObserver) {
      const rows = await all(
        sql`SELECT * FROM signed_tx WHERE ${ofWallet} AND sequence = ${sequence} ORDER BY position`
      )
      return readRows(rows, toSignedTx, onDamage)
    },
    /** Oldest first. */
    events: async (selection: EventSelection): Promise<EventRows<StoredEvent>> =>
      readEvents(await all(sql`SELECT * FROM event WHERE ${selected(wallet, selection)}`), toEvent)
  }
}
