import type { EngineStore, Execution } from '../contract.ts'
import { createBlocks } from './blocks.ts'
import { createComparable } from './comparable.ts'
import type { EventWriter } from './outbox.ts'
import { createOutcomes, expectChanges, type Inclusion, outcomeRow } from './outcomes.ts'
import { readEach, toNotice, toVerification } from './rows.ts'
import { createSlots } from './slots.ts'
import { allOf, insertInto, runnable, type Sql, type StoreContext, sql } from './sql.ts'
import type { TermWrite } from './term.ts'

export interface CorrectableStore extends EngineStore {
  /**
   * For operators: replaces the result of a committed submission with the one that the chain reports for the same
   * transaction. If the status or txId changes, rewrites the webhook events.
   */
  correct(execution: Execution, inclusion: Inclusion): Promise<void>
}

/** Creates the leader's part of the store. */
export function createEngineStore(
  context: StoreContext,
  write: TermWrite,
  outbox?: EventWriter
): CorrectableStore {
  const { database, wallet, now } = context
  const ofWallet = sql`wallet_id = ${wallet}`
  const outcomes = createOutcomes(context, outbox)
  const { writeOutcomes, settled } = outcomes
  const change = runnable((statement: Sql) => write(async ({ run }) => void (await run(statement))))

  return {
    ...createComparable(context),
    ...createSlots(context, write),
    ...createBlocks(context, write, outcomes),
    putWalletState: state => change(insertInto('wallet_state', wallet, [state])),

    correctSequence: (from, to) =>
      write(({ run }) =>
        expectChanges(
          1,
          run`UPDATE wallet_state SET next_sequence = ${to} WHERE ${ofWallet} AND next_sequence = ${from}
            AND NOT EXISTS (SELECT 1 FROM slot WHERE ${ofWallet} AND origin IS NULL)`,
          `sequence ${from} is not the next sequence, or a slot is open`
        )
      ),

    setControlPassed: () => change`UPDATE wallet_state SET control_passed = 1 WHERE ${ofWallet}`,

    reject: (submissionId, error) =>
      write(async transaction => {
        const [, rejected] = await allOf(
          writeOutcomes(
            transaction,
            [outcomeRow({ submissionId, status: 'rejected', error })],
            sql`submission.status = 'queued'`,
            sql`NULL`
          ),
          settled(transaction, [submissionId])
        )
        return rejected
      }),

    correct: (execution, inclusion) =>
      write(async transaction => {
        const { submissionId, status } = execution
        const txId = execution.status === 'committed' ? (execution.txId ?? null) : null
        if (outbox) {
          await transaction.run`DELETE FROM event WHERE ${ofWallet} AND submission_id IN (
            SELECT submission_id FROM submission WHERE ${ofWallet} AND submission_id = ${submissionId}
              AND (status <> ${status} OR tx_id IS DISTINCT FROM CAST(${txId} AS BIGINT)))`
        }
        const isSameTransaction = sql`submission.status = 'committed'
          AND submission.transaction_hash = outcome.transaction_hash AND submission.height = outcome.height`
        const row = outcomeRow(execution, inclusion)
        await writeOutcomes(transaction, [row], isSameTransaction, sql`submission.sequence`)
        await settled(transaction, [submissionId])
      }),

    putReport: report =>
      change`UPDATE wallet SET report = ${JSON.stringify(report)}, reported_at = ${now()} WHERE ${ofWallet}`,

    async verification() {
      const row = await database.get`SELECT verification FROM wallet_state WHERE ${ofWallet}`
      return readEach(row ? [row] : [], toVerification)[0]?.verification
    },

    putVerification: verification =>
      change`UPDATE wallet_state SET verification = ${JSON.stringify(verification)} WHERE ${ofWallet}`,

    // Nothing depends on a damaged notice: at worst it is sent again.
    notices: async () =>
      readEach(await database.all`SELECT * FROM notice WHERE ${ofWallet} ORDER BY since`, toNotice),

    putNotices: (state, notices) =>
      write(async transaction => {
        const { run } = transaction
        const rows = state.map(({ isSent, ...notice }) => ({ ...notice, isSent: Number(isSent) }))
        await run`DELETE FROM notice WHERE ${ofWallet}`
        for (const row of rows) await run(insertInto('notice', wallet, [row]))
        await outbox?.writeNotices(transaction, notices)
      })
  }
}
