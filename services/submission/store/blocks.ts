import type { BlockOutcome, EngineStore, WalletRequest } from '../contract.ts'
import { StoreConflictError } from '../errors.ts'
import { hasLeft } from '../slots.ts'
import { adoptRequest } from './intake.ts'
import { expectChanges, type Outcomes, outcomeRow } from './outcomes.ts'
import { readEach, toFeeDay, toFollower, toPaidFee, toSignedTx, toSubmissionId } from './rows.ts'
import { isOfLastBlock, leaveSlot } from './slots.ts'
import {
  allOf,
  insertInto,
  isAnyOf,
  type Queries,
  type Row,
  rowsOf,
  type Sql,
  type StoreContext,
  sql,
  type Transaction
} from './sql.ts'
import type { TermWrite } from './term.ts'

const DAY_MS = 86_400_000

/** Creates the functions that apply what blocks say. */
export function createBlocks(
  context: StoreContext,
  write: TermWrite,
  { writeOutcomes, settled }: Outcomes
): Pick<EngineStore, 'applyBlock' | 'stepBack' | 'adopt'> {
  const { wallet, now } = context
  const ofWallet = sql`wallet_id = ${wallet}`

  /**
   * Rejects the submissions that follow a refused one, once that refusal is not in the newest block, whose results
   * might be wrong. A follower in the same slot is left to the chain.
   * @param height the block that is applied
   * @returns the ids of the rejected submissions
   */
  async function rejectFollowers(queries: Queries, height: number): Promise<string[]> {
    const rows = await queries.all`SELECT submission.submission_id, first.error
      FROM submission JOIN submission AS first
        ON first.wallet_id = submission.wallet_id AND first.submission_id = submission.follows
      WHERE submission.wallet_id = ${wallet} AND submission.status = 'queued' AND submission.follows IS NOT NULL
        AND first.status = 'rejected' AND (first.height IS NULL OR first.height < ${height})`
    const outcomes = readEach(rows, toFollower).map(({ submissionId, error }) => {
      const message = `its lock was refused: ${error.message}`
      return outcomeRow({ submissionId, status: 'rejected', error: { ...error, message } })
    })
    if (outcomes.length > 0)
      await writeOutcomes(queries, outcomes, sql`submission.status = 'queued'`, sql`NULL`)
    return outcomes.map(({ submissionId }) => submissionId)
  }

  /**
   * Adds up the fees of our own transactions. Adds them here and not in SQL, because they can exceed SQL integers.
   * @returns the statement that writes the day's new total, if it changes
   * @throws StoreConflictError if one of our transactions is reported as foreign
   */
  async function addFees({ all }: Queries, { resolutions, time }: BlockOutcome) {
    if (resolutions.length === 0) return undefined
    const day = Math.floor(time / DAY_MS)
    const sequences = resolutions.map(({ sequence }) => sequence)
    const [signedTxs, paid] = await allOf(
      all`SELECT hash, fee_amount FROM signed_tx WHERE ${ofWallet} AND sequence ${isAnyOf(sequences)}`,
      all`SELECT day, amount FROM fee_day WHERE ${ofWallet} AND day = ${day}`
    )
    const fees = new Map(signedTxs.map(toPaidFee).map(({ hash, feeAmount }) => [hash, BigInt(feeAmount)]))
    let total = 0n
    for (const { transactionHash, origin } of resolutions) {
      const fee = fees.get(transactionHash)
      if (fee !== undefined && origin === 'foreign')
        throw new StoreConflictError(
          `transaction ${transactionHash} is reported as foreign, but is in the store`
        )
      total += fee ?? 0n
    }
    return feeDay(day, total, paid)
  }

  /** Returns the statement that changes the fees of a day. A damaged amount is left unchanged. */
  function feeDay(day: number, change: bigint, paid: readonly Row[]): Sql | undefined {
    const [before] = readEach(paid.length > 0 ? paid : [{ day, amount: '0' }], toFeeDay)
    if (!before) return undefined
    const amount = String(BigInt(before.amount) + change)
    const instead = sql`ON CONFLICT (wallet_id, day) DO UPDATE SET amount = excluded.amount`
    return insertInto('fee_day', wallet, [{ day, amount }], instead)
  }

  /** Starts the writes of a block, except its adoptions. */
  function applyOwn(queries: Queries, { height, hash, resultsHash, time, resolutions }: BlockOutcome) {
    const { run, get } = queries
    const writes: Promise<unknown>[] = [
      // Until now, the slots of the last block could have been reopened.
      run`DELETE FROM signed_tx WHERE ${ofWallet} AND ${isOfLastBlock}`,
      expectChanges(
        1,
        run`UPDATE wallet_state SET cursor_height = ${height}, cursor_hash = ${hash},
            cursor_results_hash = ${resultsHash}, cursor_time = ${time}
          WHERE ${ofWallet} AND cursor_height = ${height - 1}`,
        `block ${height} does not follow the cursor`
      )
    ]
    if (resolutions.length === 0) return writes
    const sequences = resolutions.map(({ sequence }) => sequence)
    const next = Math.max(...sequences) + 1
    const slots = resolutions.map(({ sequence, transactionHash, origin }) => {
      return { sequence, transactionHash, origin, height }
    })
    const outcomes = resolutions.flatMap(({ outcomes, sequence, transactionHash }) =>
      outcomes.map(outcome => outcomeRow(outcome, { transactionHash, height }, sequence, now()))
    )
    const unlessNew = sql`ON CONFLICT (wallet_id, sequence) DO UPDATE
      SET transaction_hash = excluded.transaction_hash, origin = excluded.origin, height = excluded.height`
    const former = resolutions.flatMap(({ outcomes, transactionHash: hash }) =>
      outcomes.flatMap(({ status, submissionId }) => (status === 'queued' ? [{ hash, submissionId }] : []))
    )
    if (former.length > 0)
      writes.push(run(insertInto('former_tx', wallet, former, sql`ON CONFLICT DO NOTHING`)))
    writes.push(
      run(insertInto('slot', wallet, slots, unlessNew)),
      run`UPDATE wallet_state SET next_sequence = ${next} WHERE ${ofWallet} AND next_sequence < ${next}`,
      writeOutcomes(
        queries,
        outcomes,
        sql`submission.status = 'broadcast' AND submission.sequence = outcome.sequence`,
        sql`CASE WHEN outcome.status = 'queued' THEN NULL ELSE outcome.sequence END`
      ),
      get`SELECT sequence FROM submission
        WHERE ${ofWallet} AND sequence ${isAnyOf(sequences)} AND status = 'broadcast' LIMIT 1`.then(left => {
        if (left === undefined) return
        throw new StoreConflictError(`a submission has no outcome in resolved slots: ${sequences.join(', ')}`)
      })
    )
    return writes
  }

  /**
   * Reopens the slots of the last block: their signed transactions are stored until the next block. Submissions that
   * have since been settled, or moved to another slot, leave them.
   */
  async function undoLast(
    { all, run }: Transaction,
    { height, hash, resultsHash }: Parameters<EngineStore['stepBack']>[0]
  ): Promise<void> {
    const [txs, slots, paid] = await allOf(
      all`SELECT * FROM signed_tx WHERE ${ofWallet} AND ${isOfLastBlock} ORDER BY sequence, position`,
      all`SELECT transaction_hash FROM slot WHERE ${ofWallet} AND origin = 'own' AND height > ${height}`,
      all`SELECT day, amount FROM fee_day WHERE ${ofWallet}
        AND day = (SELECT cursor_time / 86400000 FROM wallet_state WHERE ${ofWallet})`
    )
    const signedTxs = txs.map(toSignedTx)
    const included = new Set(slots.map(row => row['transaction_hash']))
    const refund = signedTxs
      .filter(tx => included.has(tx.hash))
      .reduce((total, { feeAmount }) => total + feeAmount, 0n)
    const bound = new Map(
      signedTxs.flatMap(({ submissionIds, sequence, hash }) =>
        submissionIds
          .filter(id => !hasLeft(id))
          .map(submissionId => [submissionId, { submissionId, sequence, transactionHash: hash }])
      )
    )
    const sequences = [...new Set(signedTxs.map(({ sequence }) => sequence))]
    await run`UPDATE wallet_state SET cursor_height = ${height}, cursor_hash = ${hash},
        cursor_results_hash = ${resultsHash} WHERE ${ofWallet}`
    if (sequences.length === 0) return
    await run`UPDATE slot SET transaction_hash = NULL, origin = NULL, height = NULL
      WHERE ${ofWallet} AND sequence ${isAnyOf(sequences)}`
    const [day] = paid
    const fees = day && refund > 0n && feeDay(toFeeDay(day).day, -refund, paid)
    if (fees) await run(fees)
    const ids = [...bound.keys()]
    if (ids.length === 0) return
    await run`UPDATE submission
      SET status = 'broadcast', sequence = slotted.sequence, transaction_hash = slotted.transaction_hash,
          height = NULL, tx_id = NULL, gas_used = NULL, gas_wanted = NULL, events = NULL, error = NULL,
          settled_at = NULL, updated_at = ${now()}
      FROM ${rowsOf('submission', 'slotted', wallet, [...bound.values()])}
      WHERE submission.wallet_id = slotted.wallet_id AND submission.submission_id = slotted.submission_id
        AND (submission.status = 'queued' OR (submission.status IN ('committed', 'rejected')
          AND submission.sequence = slotted.sequence AND submission.height > ${height}))`
    const opened = await all`SELECT submission_id FROM submission
      WHERE ${ofWallet} AND status = 'broadcast' AND sequence ${isAnyOf(sequences)}`
    const openedIds = opened.map(row => toSubmissionId(row).submissionId)
    await run`DELETE FROM event WHERE ${ofWallet} AND submission_id ${isAnyOf(openedIds)}`
    for (const id of ids) if (!openedIds.includes(id)) await run(leaveSlot(wallet, id, sequences))
  }

  /** @returns the ids of the settled submissions */
  async function adoptAll(
    transaction: Transaction,
    requests: readonly WalletRequest[],
    isBackwards = false
  ): Promise<string[]> {
    const ids: string[] = []
    for (const request of isBackwards ? requests.toReversed() : requests) {
      await adoptRequest(context, transaction, request, isBackwards, async (executions, isNew) => {
        const rows = executions.map(execution => outcomeRow(execution, request))
        const unsettled = sql`submission.status IN ('queued', 'broadcast')`
        await writeOutcomes(transaction, rows, unsettled, sql`NULL`)
        if (isNew) return
        for (const { submissionId } of executions) {
          ids.push(submissionId)
          await transaction.run(leaveSlot(wallet, submissionId))
        }
      })
    }
    return ids
  }

  return {
    applyBlock: block =>
      write(async transaction => {
        const { run } = transaction
        const { resolutions, adoptions = [], time } = block
        const fees = await addFees(transaction, block)
        const ids = resolutions.flatMap(({ outcomes }) =>
          outcomes.flatMap(({ submissionId, status }) => (status === 'queued' ? [] : submissionId))
        )
        // Adoptions and followers depend on the outcomes written so far.
        await allOf(...applyOwn(transaction, block))
        ids.push(...(await adoptAll(transaction, adoptions)))
        ids.push(...(await rejectFollowers(transaction, block.height)))
        // Date all submissions settled since the last block. Uses the later of the block's time and the store's clock,
        // so that a wrong clock cannot make a submission look old (interface 7.15).
        const dateSettled = sql`UPDATE submission SET settled_at = ${Math.max(now(), time)}
          WHERE ${ofWallet} AND status IN ('committed', 'rejected') AND settled_at IS NULL`
        const [result] = await allOf(settled(transaction, ids), fees && run(fees), run(dateSettled))
        return result
      }),

    stepBack: cursor => write(transaction => undoLast(transaction, cursor)),

    adopt: requests =>
      write(async transaction => settled(transaction, await adoptAll(transaction, requests, true)))
  }
}
