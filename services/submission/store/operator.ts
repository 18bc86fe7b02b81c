import { OUTCOME } from './engine-writes.ts'
import type { EventWriter } from './event-outbox.ts'
import {
  type EventSelection,
  type OperatorEvents,
  type OperatorQueries,
  type OperatorWrites,
  settlement
} from './operator-store.ts'
import { STORED_EVENT_COLUMNS, toStoredEvents } from './rows/event-rows.ts'
import { SUBMISSION_COLUMNS, toSignerState, toVariant } from './rows/index.ts'
import { toStoredSlot, toStoredSubmission } from './rows/operator-rows.ts'
import { readEach, throwDamage } from './rows/read-each.ts'
import { isAnyOf, jsonArray, type Queries, raw, rowsOf, type Sql, sql } from './sql.ts'
import { createTermWrites, expectChanges, type Home } from './term-writes.ts'

/** The columns that `toStoredSubmission` reads. */
const STORED = sql`${raw(SUBMISSION_COLUMNS)}, type_url, message, sequence,
  (SELECT ${jsonArray('key')} FROM identity WHERE identity.position = submission.position) AS identities`

function selected(wallet: number, { state, submissionId }: EventSelection): Sql {
  const ofSubmission = submissionId === undefined ? sql`` : sql`AND submission_id = ${submissionId}`
  const inState = state === undefined ? sql`` : sql`AND state = ${state}`
  return sql`wallet_id = ${wallet} ${inState} ${ofSubmission}`
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
    columns: submissionId =>
      one(
        sql`SELECT ${STORED} FROM submission WHERE ${ofWallet} AND submission_id = ${submissionId}`,
        row => ({ ...Object(row) })
      ),
    slot: sequence => one(sql`SELECT * FROM slot WHERE ${ofWallet} AND sequence = ${sequence}`, toStoredSlot),
    variants: async (sequence, onDamage = throwDamage) =>
      readEach(
        await all(sql`SELECT * FROM variant WHERE ${ofWallet} AND sequence = ${sequence} ORDER BY position`),
        toVariant,
        onDamage
      ),
    events: async selection =>
      toStoredEvents(
        await all(
          sql`SELECT ${raw(STORED_EVENT_COLUMNS)} FROM event WHERE ${selected(wallet, selection)}
            ORDER BY position`
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

  return {
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
