import { Type } from '@sinclair/typebox'
import type { StoredQuote } from '../../quotes/contract.ts'
import { literals } from '../../schema-check.ts'
import type {
  ComparableStore,
  DamageObserver,
  EngineStore,
  QueuedMessage,
  Refusal,
  SignedTx,
  Submission,
  WalletState
} from '../contract.ts'
import { StoreConflictError, StoreCorruptError } from '../errors.ts'
import { originalText, storedText } from '../identities.ts'
import { createComparable } from './comparable.ts'
import { type CorrectableStore, createEngineStore } from './engine-writes.ts'
import { feesPaidToday } from './fee-day.ts'
import { type HistoryEntry, readHistory } from './history.ts'
import { EXECUTED, readIdentity } from './intake.ts'
import { selectListed } from './listing.ts'
import { createOutbox, type EventSelection, selected, type Webhooks } from './outbox.ts'
import { contentOf, EventKey, eventIdOf } from './payload.ts'
import { toQuote } from './quotes.ts'
import {
  Count,
  mapper,
  readEach,
  Text,
  Time,
  toRequest,
  toSignedTx,
  toSubmission,
  toTime,
  toUnsettled,
  toWalletState
} from './rows.ts'
import { leaveSlot } from './slots.ts'
import {
  forUpdate,
  insertInto,
  isAnyOf,
  jsonArray,
  type Row,
  readOne,
  type StoreContext,
  sql
} from './sql.ts'
import { nextEpoch, type TermWrite, termWrites } from './term.ts'

/**
 * Opens the store for an operator.
 * @returns the store; for `own`, `lost` is aborted once other processes can open the store again
 */
export type OpenForOperator = (
  use: 'read' | 'share' | 'own'
) => Promise<StoreContext & { lost?: AbortSignal }>

export interface OperatorAccess {
  /**
   * Opens the store read-only, even while servers use it.
   * @throws DataDirectoryError, StoreUnavailableError if there is no store, or if its schema has a different version
   */
  read(): Promise<{ queries: OperatorQueries; close(): Promise<void> }>
  /** Opens the store exclusively until it is closed. @throws like `read`, and if servers use the store */
  own(): Promise<OwnedStore & { close(): Promise<void> }>
  /**
   * Makes events due now, as if they had never been delivered, even while servers run.
   * @returns the number of events
   * @throws like `read`
   */
  redeliver(selection: EventSelection): Promise<number>
  /**
   * Rejects a queued submission, even while servers run: of a cancellation and a signature, the first wins.
   * @throws StoreConflictError if it is not queued, or if the store does not follow the chain; like `read`
   */
  cancel(submissionId: string): Promise<void>
}

export interface OwnedStore {
  store: CorrectableStore
  queries: OperatorQueries
  repairs: Repairs
}

/** Sets damaged rows aside, so that the engine can continue with the others (interface 7.22). */
export interface Repairs {
  /** Returns the damage of the row that an error identifies as `name`, or else any damage that stops the engine. */
  damageOf(name: string): Promise<StoreCorruptError | undefined>
  /**
   * Removes a damaged row from the engine's work. A submission leaves the queue and its slot, and stays bound to its
   * identities. A damaged identity stays in use, so that no retry is executed. A signed transaction is deleted, and its
   * slot or a damaged slot is reopened.
   * @returns that slot, with its submissions, oldest first
   */
  setAside(damage: StoreCorruptError): Promise<{ sequence: number; submissions: QueuedMessage[] } | undefined>
}

export function createOperatorAccess(open: OpenForOperator, webhooks?: Webhooks): OperatorAccess {
  return {
    async read() {
      const context = await open('read')
      return { queries: createOperatorQueries(context), close: context.database.close }
    },
    async own() {
      const context = await open('own')
      const { close } = context.database
      try {
        const write = termWrites(context, await nextEpoch(context), context.lost)
        const store = createEngineStore(context, write, webhooks && createOutbox(context, webhooks))
        const repairs = createRepairs(context, store, write)
        return { store, queries: createOperatorQueries(context), repairs, close }
      } catch (error) {
        await close()
        throw error
      }
    },
    async redeliver(selection) {
      const context = await open('share')
      return createOutbox(context).redeliver(selection).finally(context.database.close)
    },
    async cancel(submissionId) {
      const context = await open('share')
      const write = cancelWrite(context, submissionId)
      const store = createEngineStore(context, write, webhooks && createOutbox(context, webhooks))
      await store.reject(submissionId, CANCELLED).finally(context.database.close)
    }
  }
}

const CANCELLED: Refusal = {
  code: 1,
  codespace: 'operator',
  message: 'cancelled by the operator before it was executed'
}

/** The chain may have executed a submission that an older store still queues (interface 7.23). */
const MAX_BEHIND_MS = 60_000

function cancelWrite({ database, wallet, now }: StoreContext, submissionId: string): TermWrite {
  return work =>
    database.transaction(async transaction => {
      // Every transaction of the engine begins with this lock.
      await transaction.get`SELECT epoch FROM wallet WHERE wallet_id = ${wallet} ${forUpdate}`
      const row = await transaction.get`SELECT status FROM submission
        WHERE wallet_id = ${wallet} AND submission_id = ${submissionId}`
      if (row === undefined)
        throw new StoreConflictError(
          `there is no submission ${submissionId}: find X prints the submissionId of a payment`
        )
      if (row['status'] !== 'queued')
        throw new StoreConflictError(
          `${submissionId} is ${row['status']}, and only queued submissions can be cancelled`
        )
      const { time } = toTime(
        await transaction.get`SELECT cursor_time AS time FROM wallet_state WHERE wallet_id = ${wallet}`
      )
      if (time === undefined || now() - time > MAX_BEHIND_MS)
        throw new StoreConflictError(
          'the store does not follow the chain, which may have executed the submission: let a server run until /ready returns 200'
        )
      return work(transaction)
    })
}

function createRepairs(
  { database, wallet, now }: StoreContext,
  store: EngineStore,
  write: TermWrite
): Repairs {
  const ofWallet = sql`wallet_id = ${wallet}`

  const named = (name: string) =>
    /^#\d+$/.test(name) ? sql`position = ${Number(name.slice(1))}` : sql`submission_id = ${name}`

  async function readRows(rows: Promise<Row[]>, read: (row: Row) => unknown): Promise<void> {
    for (const row of await rows) read(row)
  }

  return {
    async damageOf(name) {
      const checks = [
        readRows(
          database.all`SELECT identity.submission_id AS held_by, target, identity.caller AS owner, 0 AS identities,
              submission.submission_id
            FROM identity LEFT JOIN submission USING (wallet_id, submission_id)
            WHERE identity.wallet_id = ${wallet} AND identity.submission_id = ${name}`,
          readIdentity
        ),
        readRows(
          database.all`SELECT * FROM submission WHERE ${ofWallet} AND ${named(name)}
            AND status NOT IN ('committed', 'rejected', 'damaged')`,
          toUnsettled
        ),
        readRows(database.all`SELECT * FROM signed_tx WHERE ${ofWallet} AND hash = ${name}`, toSignedTx),
        store.openSignedTxs(),
        store.queued(ALL)
      ]
      const found: StoreCorruptError[] = []
      for (const result of await Promise.allSettled(checks)) {
        if (result.status === 'fulfilled') continue
        if (!(result.reason instanceof StoreCorruptError)) throw result.reason
        found.push(result.reason)
      }
      return found.find(({ row }) => row === name) ?? found[0]
    },

    setAside: ({ table, row, message }) =>
      write(async ({ all, get, run }) => {
        let sequence: unknown = Number(row)
        switch (table) {
          case 'submission':
            await run`UPDATE submission SET status = 'damaged', sequence = NULL, updated_at = ${now()},
                error = ${message} || coalesce('; it was in slot ' || sequence, '')
              WHERE ${ofWallet} AND ${named(row)}`
            await run(leaveSlot(wallet, row))
            return undefined
          case 'identity':
            await run`UPDATE identity SET target = ${EXECUTED}, caller = NULL, submission_id =
                (SELECT submission_id FROM submission
                 WHERE submission.wallet_id = identity.wallet_id AND submission.submission_id = identity.submission_id)
              WHERE ${ofWallet} AND submission_id = ${row}`
            return undefined
          case 'signed_tx': {
            const open = await get`SELECT sequence FROM slot WHERE ${ofWallet} AND origin IS NULL
              AND sequence = (SELECT sequence FROM signed_tx WHERE ${ofWallet} AND hash = ${row})`
            sequence = open?.['sequence']
            await run`DELETE FROM signed_tx WHERE ${ofWallet} AND hash = ${row}`
            break
          }
          case 'slot': {
            const again = sql`ON CONFLICT (wallet_id, sequence) DO UPDATE
              SET transaction_hash = NULL, origin = NULL, height = NULL`
            await run(insertInto('slot', wallet, [{ sequence }], again))
          }
        }
        if (typeof sequence !== 'number') return undefined
        const rows = await all`SELECT * FROM submission
          WHERE ${ofWallet} AND sequence = ${sequence} AND status = 'broadcast' ORDER BY position`
        return { sequence, submissions: rows.map(toUnsettled) }
      })
  }
}

interface Selection {
  states: readonly (Submission['status'] | 'damaged')[]
  /** Last changed before this time, in milliseconds since the epoch. */
  changedBefore?: number
  limit?: number
  newestFirst?: boolean
}

const ALL = Number.MAX_SAFE_INTEGER

const STORED = sql`submission.*, (SELECT ${jsonArray('key')} FROM identity
  WHERE identity.wallet_id = submission.wallet_id AND identity.submission_id = submission.submission_id) AS identities`

const readWhole = mapper('submission', 'submission_id', {
  identities: Type.Array(Type.String()),
  sequence: Type.Optional(Count),
  caller: Type.Optional(Text)
})

export interface StoredSubmission {
  submission: Submission
  typeUrl: string
  message: Uint8Array
  /** See `identityKey`. A rejected submission might have lost identities to later ones. */
  identities: string[]
  /** The slot that contains the submission; once settled, the slot that settled it. */
  sequence: number | undefined
  caller: string | undefined
  history: HistoryEntry[]
  content: ReturnType<typeof contentOf>
}

function toWhole(row: Row): StoredSubmission {
  const { typeUrl, message } = toRequest(row)
  const { identities, sequence, caller } = readWhole(row)
  return {
    submission: toSubmission(row),
    typeUrl,
    message,
    identities: identities.map(originalText),
    sequence,
    caller,
    history: readHistory(row['history']),
    content: contentOf(typeUrl, message)
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
  attempts: Count,
  createdAt: Time,
  dueAt: Time,
  problem: Type.Optional(Type.String())
})

/** A webhook event, with the attempts since it was written or last redelivered, and why the last one failed. */
export type StoredEvent = ReturnType<typeof toEvent>

function toEvent(row: Row) {
  const event = readEvent(row)
  return { ...event, eventId: eventIdOf(event), history: readHistory(row['history']) }
}

/** The operator's queries for a wallet. Every method may throw StoreCorruptError. */
export interface OperatorQueries extends ComparableStore {
  walletState(): Promise<WalletState | undefined>
  /** See `SubmissionStore.feesPaidToday`. */
  feesPaidToday(): Promise<bigint>
  /** @param onDamage if omitted, a damaged row throws StoreCorruptError */
  list(selection: Selection, onDamage?: DamageObserver): Promise<StoredSubmission[]>
  find(submissionId: string): Promise<StoredSubmission | undefined>
  /** Newest first. @param onDamage as for `list` */
  search(identifier: string, limit: number, onDamage?: DamageObserver): Promise<StoredSubmission[]>
  /** Returns the quotes of a feeId that are not deleted yet. */
  quotes(feeId: string): Promise<StoredQuote[]>
  /** The raw columns, which may be damaged. */
  columns(submissionId: string): Promise<Row | undefined>
  /** The transaction that consumed a slot; undefined while the slot is open. */
  resolution(
    sequence: number
  ): Promise<{ transactionHash: string; height: number; origin: 'own' | 'foreign' } | undefined>
  /** Returns the signed transactions, oldest first. @param onDamage as for `list` */
  signedTxs(sequence: number, onDamage?: DamageObserver): Promise<SignedTx[]>
  /** Oldest first. @param onDamage as for `list` */
  events(selection: EventSelection, onDamage?: DamageObserver): Promise<StoredEvent[]>
}

const failing: DamageObserver = damage => {
  throw damage
}

function createOperatorQueries(context: StoreContext): OperatorQueries {
  const { database, wallet } = context
  const { all, get } = database
  const ofWallet = sql`wallet_id = ${wallet}`

  const stored = (submissionId: string) =>
    sql`SELECT ${STORED} FROM submission WHERE ${ofWallet} AND submission_id = ${submissionId}`

  return {
    ...createComparable(context),
    walletState: () => readOne(get`SELECT * FROM wallet_state WHERE ${ofWallet}`, toWalletState),
    feesPaidToday: () => feesPaidToday(context),
    async list({ states, changedBefore = ALL, limit = ALL, newestFirst = false }, onDamage = failing) {
      const rows = await all`SELECT ${STORED} FROM submission
        WHERE ${ofWallet} AND status ${isAnyOf(states)} AND updated_at < ${changedBefore}
        ORDER BY ${newestFirst ? sql`position DESC` : sql`position`} LIMIT ${limit}`
      return readEach(rows, toWhole, onDamage)
    },
    find: submissionId => readOne(get(stored(submissionId)), toWhole),
    async search(identifier, limit, onDamage = failing) {
      const rows = await all(selectListed(wallet, { identifier }, limit, STORED))
      return readEach(rows, toWhole, onDamage)
    },
    async quotes(feeId) {
      const rows = await all`SELECT * FROM quote WHERE ${ofWallet} AND fee_id = ${storedText(feeId)}`
      return rows.map(toQuote).flatMap(quote => (quote instanceof StoreCorruptError ? [] : [quote]))
    },
    columns: submissionId => get(stored(submissionId)),
    resolution: sequence =>
      readOne(
        get`SELECT * FROM slot WHERE ${ofWallet} AND sequence = ${sequence} AND origin IS NOT NULL`,
        toResolution
      ),
    async signedTxs(sequence, onDamage = failing) {
      const rows = await all`SELECT * FROM signed_tx
        WHERE ${ofWallet} AND sequence = ${sequence} ORDER BY position`
      return readEach(rows, toSignedTx, onDamage)
    },
    async events(selection, onDamage = failing) {
      const rows = await all`SELECT * FROM event WHERE ${selected(wallet, selection)} ORDER BY position`
      return readEach(rows, toEvent, onDamage)
    }
  }
}
