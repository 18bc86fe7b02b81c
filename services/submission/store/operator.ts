import { OUTCOME, settleUnsettled } from './engine-writes.ts'
import type { EventWriter } from './event-outbox.ts'
import { claimIdentities, insertSubmissions } from './intake.ts'
import {
  type EventSelection,
  type OperatorEvents,
  type OperatorQueries,
  type OperatorWrites,
  type Place,
  type SlotEnd,
  settlement
} from './operator-store.ts'
import { STORED_EVENT_COLUMNS, toStoredEvents } from './rows/event-rows.ts'
import { SUBMISSION_COLUMNS, statusOf, toCount, toSignerState, toVariant } from './rows/index.ts'
import { toStoredSlot, toStoredSubmission } from './rows/operator-rows.ts'
import { readEach, throwDamage } from './rows/read-each.ts'
import { isAnyOf, jsonArray, type Queries, raw, rowsOf, type Sql, sql, type Transaction } from './sql.ts'
import { keyOfIdentity } from './stored-key.ts'
import { createTermWrites, expectChanges, type Home } from './term-writes.ts'
import type { Execution } from './types.ts'

/** The columns that `toStoredSubmission` reads. */
const STORED = sql`${raw(SUBMISSION_COLUMNS)}, type_url, message, sequence, attempts,
  (SELECT ${jsonArray('key')} FROM identity WHERE identity.position = submission.position) AS identities`

function selected(wallet: number, { states, submissionId, type }: EventSelection): Sql {
  const ofSubmission = submissionId === undefined ? sql`` : sql`AND submission_id = ${submissionId}`
  const ofType = type === undefined ? sql`` : sql`AND type = ${type}`
  return sql`wallet_id = ${wallet} AND state ${isAnyOf(states)} ${ofSubmission} ${ofType}`
}

/** What an operator reads of one wallet. */
export function createOperatorQueries({ all, get }: Queries, wallet: number): OperatorQueries {
  const ofWallet = sql`wallet_id = ${wallet}`

  async function one<T>(statement: Sql, read: (row: unknown) => T): Promise<T | undefined> {
    const row = await get(statement)
    return row === undefined ? undefined : read(row)
  }

  return {
    signer: () => one(sql`SELECT * FROM signer WHERE ${ofWallet}`, toSignerState),
    list: async ({ states, changedBefore, limit }, onDamage = throwDamage) =>
      readEach(
        await all(
          sql`SELECT ${STORED} FROM submission
            WHERE ${ofWallet} AND status ${isAnyOf(states)} AND updated_at < ${changedBefore}
            ORDER BY position LIMIT ${limit}`
        ),
        toStoredSubmission,
        onDamage
      ),
    find: submissionId =>
      one(
        sql`SELECT ${STORED} FROM submission WHERE ${ofWallet} AND submission_id = ${submissionId}`,
        toStoredSubmission
      ),
    withIdentity: identity =>
      one(
        sql`SELECT ${STORED} FROM submission WHERE position =
          (SELECT position FROM identity WHERE ${ofWallet} AND key = ${keyOfIdentity(identity)})`,
        toStoredSubmission
      ),
    slot: sequence => one(sql`SELECT * FROM slot WHERE ${ofWallet} AND sequence = ${sequence}`, toStoredSlot),
    newestTxId: async () =>
      toCount(await get(sql`SELECT coalesce(max(tx_id), 0) AS count FROM submission WHERE ${ofWallet}`)),
    openSlots: async () =>
      (await all(sql`SELECT * FROM slot WHERE ${ofWallet} AND origin IS NULL ORDER BY sequence`)).map(
        toStoredSlot
      ),
    variants: async sequence =>
      (
        await all(sql`SELECT * FROM variant WHERE ${ofWallet} AND sequence = ${sequence} ORDER BY position`)
      ).map(toVariant),
    events: async (selection, limit) =>
      toStoredEvents(
        await all(
          sql`SELECT ${raw(STORED_EVENT_COLUMNS)} FROM event WHERE ${selected(wallet, selection)}
            ORDER BY position LIMIT ${limit}`
        )
      )
  }
}

/** What an operator changes, in a term of the tool's own. @param options.events as for the engine */
export function createOperatorWrites(
  options: Home & { epoch: number; events?: EventWriter | undefined }
): OperatorWrites {
  const { wallet, now, events } = options
  const write = createTermWrites(options)
  const ofWallet = sql`wallet_id = ${wallet}`

  /** @param sequence the slot that executed it, if the store has it */
  async function settle(
    transaction: Transaction,
    execution: Execution,
    place: Place,
    sequence?: number
  ): Promise<void> {
    await settleUnsettled(options, transaction, execution, place, sequence)
    await events?.writeSettled(transaction, [execution.submissionId])
  }

  async function end(transaction: Transaction, { sequence, consumedBy, executions }: SlotEnd): Promise<void> {
    const { run } = transaction
    for (const execution of executions) {
      if (consumedBy) await settle(transaction, execution, consumedBy, sequence)
    }
    const inSlot = sql`${ofWallet} AND sequence = ${sequence}`
    await run(
      sql`UPDATE submission SET status = 'queued', sequence = NULL, transaction_hash = NULL, updated_at = ${now()}
        WHERE ${inSlot} AND status = 'broadcast'`
    )
    await run(sql`DELETE FROM variant WHERE ${inSlot}`)
    if (consumedBy === undefined)
      return void (await run(sql`DELETE FROM slot WHERE ${inSlot} AND origin IS NULL`))
    const { transactionHash, origin, height } = consumedBy
    await run(
      sql`UPDATE slot SET transaction_hash = ${transactionHash}, origin = ${origin}, height = ${height}
        WHERE ${inSlot} AND origin IS NULL`
    )
  }

  return {
    settle: (execution, place) => write(transaction => settle(transaction, execution, place)),
    record: ({ identities, typeUrl, message, execution }, place) =>
      write(async transaction => {
        const { submissionId } = execution
        const { holders, hold } = await claimIdentities(options, transaction, [{ identities }])
        await insertSubmissions(options, transaction, [{ submissionId, typeUrl, message }], now())
        // Those of a submission that was not refused stay with it.
        const free = identities.map(keyOfIdentity).filter(key => {
          const holder = holders.get(key)
          return holder === undefined || statusOf(holder) === 'rejected'
        })
        await hold(free.map(key => ({ key, submission_id: submissionId })))
        await settle(transaction, execution, place)
      }),
    correct: (execution, place) =>
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
      }),
    move: (ends, signer) =>
      write(async transaction => {
        for (const slotEnd of ends) await end(transaction, slotEnd)
        await transaction.run(
          sql`UPDATE signer SET chain_id = ${signer.chainId}, account_number = ${String(signer.accountNumber)},
              next_sequence = ${signer.nextSequence}, cursor_height = ${signer.cursorHeight},
              cursor_hash = ${signer.cursorHash}, probe_passed = ${Number(signer.probePassed)}
            WHERE ${ofWallet}`
        )
      })
  }
}

/**
 * What an operator does to events, also beside servers: each claim and each outcome of theirs is a transaction of its own.
 * @param run one statement as a transaction, which may take long
 */
export const createOperatorEvents = (
  run: Queries['run'],
  { wallet, now }: Omit<Home, 'database'>
): OperatorEvents => ({
  redeliver: selection =>
    run(
      sql`UPDATE event
        SET state = 'pending', attempts = 0, redeliveries = redeliveries + 1, due_at = ${now()}, updated_at = ${now()}
        WHERE ${selected(wallet, selection)}`
    )
})
