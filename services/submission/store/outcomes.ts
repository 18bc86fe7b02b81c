import type { Settled, SubmissionOutcome, WalletRequest } from '../contract.ts'
import { StoreConflictError } from '../errors.ts'
import { appended, historyLine } from './history.ts'
import type { EventWriter } from './outbox.ts'
import { kindOf } from './payload.ts'
import { toQueuedMessage, toSubmission, toSubmissionId } from './rows.ts'
import {
  allOf,
  isAnyOf,
  type Queries,
  rowsOf,
  type Sql,
  type StoreContext,
  sql,
  type Transaction
} from './sql.ts'

/** The transaction and block that include a message. */
export type Inclusion = Pick<WalletRequest, 'transactionHash' | 'height'>

/** @throws StoreConflictError unless the write changed exactly `count` rows */
export async function expectChanges(
  count: number,
  changes: Promise<number>,
  conflict: string
): Promise<void> {
  if ((await changes) !== count) throw new StoreConflictError(conflict)
}

/** The columns that an outcome sets. Omitted columns become NULL, except `history`, which gets another line. */
export function outcomeRow(
  outcome: SubmissionOutcome,
  { transactionHash, height }: Partial<Inclusion> = {},
  sequence?: number,
  at = 0
) {
  if (outcome.status !== 'queued') return { ...outcome, sequence, transactionHash, height }
  return { ...outcome, sequence, history: historyLine({ at, what: 'queued', transactionHash, height }) }
}

export type Outcomes = ReturnType<typeof createOutcomes>

/** Creates the functions that write the outcomes of submissions, and the events of those that they settle. */
export function createOutcomes({ wallet, now }: StoreContext, outbox?: EventWriter) {
  const ofWallet = sql`wallet_id = ${wallet}`

  return {
    /**
     * @param condition on `submission` and `outcome`; every row must meet it
     * @param sequence the new slot of each submission
     * @throws StoreConflictError
     */
    writeOutcomes(
      { run }: Queries,
      outcomes: readonly ReturnType<typeof outcomeRow>[],
      condition: Sql,
      sequence: Sql
    ): Promise<void> {
      return expectChanges(
        outcomes.length,
        run`UPDATE submission
        SET status = outcome.status, sequence = ${sequence}, tx_id = outcome.tx_id,
            transaction_hash = outcome.transaction_hash, height = outcome.height, gas_used = outcome.gas_used,
            gas_wanted = outcome.gas_wanted, events = outcome.events, error = outcome.error, updated_at = ${now()},
            history = ${appended('submission', sql`outcome.history`)}
        FROM ${rowsOf('submission', 'outcome', wallet, outcomes)}
        WHERE submission.wallet_id = outcome.wallet_id AND submission.submission_id = outcome.submission_id
          AND ${condition}`,
        `one of these submissions is not in the expected state: ${outcomes.map(({ submissionId }) => submissionId).join(', ')}`
      )
    },

    /** Returns settled submissions in the given order, writes their events and notifies the replicas. */
    async settled(transaction: Transaction, submissionIds: readonly string[]): Promise<Settled[]> {
      if (submissionIds.length === 0) return []
      const [rows] = await allOf(
        transaction.all`SELECT * FROM submission WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)}`,
        transaction.announce({ kind: 'settled', submissionIds }, wallet)
      )
      const byId = new Map(rows.map(row => [toSubmissionId(row).submissionId, row]))
      const inOrder = submissionIds
        .map(submissionId => byId.get(submissionId))
        .filter(row => row !== undefined)
      const read = inOrder.map(row => ({ submission: toSubmission(row), content: toQueuedMessage(row) }))
      await outbox?.writeSettled(transaction, read)
      return read.map(({ submission, content }) => ({ ...submission, kind: kindOf(content.typeUrl) }))
    }
  }
}
