import type {
  BlockOutcome,
  EngineStore,
  Execution,
  Settled,
  SignedTx,
  SubmissionOutcome,
  WalletRequest
} from '../contract.ts'
import { StoreConflictError, StoreCorruptError } from '../errors.ts'
import { hasLeft } from '../slots.ts'
import { createComparable } from './comparable.ts'
import { appended, historyLine } from './history.ts'
import { adoptRequest } from './intake.ts'
import type { EventWriter } from './outbox.ts'
import { kindOf } from './payload.ts'
import {
  readEach,
  toFeeDay,
  toFollower,
  toNotice,
  toPaidFee,
  toQueuedMessage,
  toSignedTx,
  toSlot,
  toSubmission,
  toSubmissionId,
  toUnsettled,
  toVerification
} from './rows.ts'
import {
  allOf,
  insertInto,
  isAnyOf,
  type Queries,
  type Row,
  rowsOf,
  runnable,
  type Sql,
  type StoreContext,
  sql,
  type Transaction
} from './sql.ts'
import type { TermWrite } from './term.ts'

const DAY_MS = 86_400_000

/** The transaction and block that include a message. */
type Inclusion = Pick<WalletRequest, 'transactionHash' | 'height'>

/** Returns the SQL that removes a submission from the transactions of its slot. */
export function leaveSlot(wallet: number, submissionId: string, sequences?: readonly number[]): Sql {
  const id = JSON.stringify(submissionId)
  const ofSlots = sequences ? sql`AND sequence ${isAnyOf(sequences)}` : sql``
  return sql`UPDATE signed_tx SET submission_ids = replace(submission_ids, ${id}, '""')
    WHERE wallet_id = ${wallet} AND submission_ids <> replace(submission_ids, ${id}, '""') ${ofSlots}`
}

/** @throws StoreConflictError unless the write changed exactly `count` rows */
async function expectChanges(count: number, changes: Promise<number>, conflict: string): Promise<void> {
  if ((await changes) !== count) throw new StoreConflictError(conflict)
}

/** The columns that an outcome sets. Omitted columns become NULL, except `history`, which gets another line. */
function outcomeRow(
  outcome: SubmissionOutcome,
  { transactionHash, height }: Partial<Inclusion> = {},
  sequence?: number,
  at = 0
) {
  if (outcome.status !== 'queued') return { ...outcome, sequence, transactionHash, height }
  return { ...outcome, sequence, history: historyLine({ at, what: 'queued', transactionHash, height }) }
}

const signedLine = ({ hash, sequence, gasLimit, feeAmount }: SignedTx, at: number) =>
  appended(
    'submission',
    sql`${historyLine({ at, what: 'signed', hash, slot: sequence, gasLimit, fee: String(feeAmount) })}`
  )

/**
 * Returns the signed transactions if open slots, their transactions and their submissions belong together: after damage
 * to one of them, a submission could be executed twice or never.
 * @throws StoreCorruptError
 */
function consistent(
  slots: readonly Row[],
  signedTxs: readonly SignedTx[],
  submissions: readonly Row[]
): SignedTx[] {
  const open = new Set(slots.map(row => toSlot(row).sequence))
  const inSlots = new Map(submissions.map(row => [toUnsettled(row).submissionId, row['sequence']]))
  const unsigned = new Set(open)
  const unnamed = new Map(inSlots)
  for (const { hash, sequence, submissionIds } of signedTxs) {
    const isOwn = submissionIds.every(id => hasLeft(id) || inSlots.get(id) === sequence)
    if (!open.has(sequence))
      throw isOwn
        ? new StoreCorruptError('slot', String(sequence), 'origin')
        : new StoreCorruptError('signed_tx', hash, 'sequence')
    unsigned.delete(sequence)
    for (const id of submissionIds) {
      if (!hasLeft(id) && !inSlots.has(id)) throw new StoreCorruptError('signed_tx', hash, 'submission_ids')
      if (inSlots.get(id) === sequence) unnamed.delete(id)
    }
  }
  for (const sequence of unsigned) throw new StoreCorruptError('slot', String(sequence), 'sequence')
  for (const submissionId of unnamed.keys())
    throw new StoreCorruptError('submission', submissionId, 'sequence')
  return [...signedTxs]
}

export interface CorrectableStore extends EngineStore {
  /**
   * For operators: replaces the result of a committed submission with the one that the chain reports for the same
   * transaction. If the status or txId changes, rewrites the webhook events.
   */
  correct(execution: Execution, inclusion: Inclusion): Promise<void>
}

export function createEngineStore(
  context: StoreContext,
  write: TermWrite,
  outbox?: EventWriter
): CorrectableStore {
  const { database, wallet, now } = context
  const ofWallet = sql`wallet_id = ${wallet}`
  /** The SQL of a condition on a signed transaction: the block of the cursor resolved its slot. */
  const isOfLastBlock = sql`EXISTS (SELECT 1 FROM slot JOIN wallet_state USING (wallet_id)
    WHERE slot.wallet_id = ${wallet} AND slot.sequence = signed_tx.sequence AND slot.height = cursor_height)`

  const change = runnable((statement: Sql) => write(async ({ run }) => void (await run(statement))))

  const insertSignedTx = ({ hash, sequence, bytes, gasLimit, feeAmount, submissionIds }: SignedTx) =>
    insertInto('signed_tx', wallet, [{ hash, sequence, bytes, gasLimit, feeAmount, submissionIds }])

  /**
   * @param condition on `submission` and `outcome`; every row must meet it
   * @param sequence the new slot of each submission
   * @throws StoreConflictError
   */
  function writeOutcomes(
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
  }

  /** Returns settled submissions in the given order, writes their events and notifies the replicas. */
  async function settled(transaction: Transaction, submissionIds: readonly string[]): Promise<Settled[]> {
    if (submissionIds.length === 0) return []
    const [rows] = await allOf(
      transaction.all`SELECT * FROM submission WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)}`,
      transaction.announce({ kind: 'settled', submissionIds }, wallet)
    )
    const byId = new Map(rows.map(row => [toSubmissionId(row).submissionId, row]))
    const inOrder = submissionIds.map(submissionId => byId.get(submissionId)).filter(row => row !== undefined)
    const read = inOrder.map(row => ({ submission: toSubmission(row), content: toQueuedMessage(row) }))
    await outbox?.writeSettled(transaction, read)
    return read.map(({ submission, content }) => ({ ...submission, kind: kindOf(content.typeUrl) }))
  }

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
          .map(submissionId => [
            submissionId,
            { submissionId, sequence, transactionHash: hash, status: 'broadcast' }
          ])
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
      SET status = slotted.status, sequence = slotted.sequence, transaction_hash = slotted.transaction_hash,
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
    ...createComparable(context),
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

    async queued(limit) {
      const rows = await database.all`
        SELECT submission.*, CASE WHEN first.status = 'queued' THEN first.submission_id END AS waits_for
        FROM submission LEFT JOIN submission AS first
          ON first.wallet_id = submission.wallet_id AND first.submission_id = submission.follows
        WHERE submission.wallet_id = ${wallet} AND submission.status = 'queued'
          AND (first.submission_id IS NULL OR first.status IN ('queued', 'damaged') OR (first.status = 'committed'
            AND first.height < (SELECT cursor_height FROM wallet_state WHERE ${ofWallet})))
        ORDER BY submission.position LIMIT ${limit}`
      return rows.map(toUnsettled)
    },

    async openSignedTxs() {
      const [slots, signedTxs, submissions] = await allOf(
        database.all`SELECT sequence FROM slot WHERE ${ofWallet} AND origin IS NULL`,
        database.all`SELECT * FROM signed_tx WHERE ${ofWallet} AND NOT ${isOfLastBlock} ORDER BY sequence, position`,
        database.all`SELECT * FROM submission WHERE ${ofWallet} AND status || '' = 'broadcast'`
      )
      return consistent(slots, signedTxs.map(toSignedTx), submissions)
    },

    openSlot: signedTx =>
      write(async transaction => {
        const { run } = transaction
        const { sequence, hash, submissionIds } = signedTx
        await allOf(
          expectChanges(
            1,
            run`UPDATE wallet_state SET next_sequence = ${sequence + 1}
              WHERE ${ofWallet} AND next_sequence = ${sequence}`,
            `sequence ${sequence} is not the next sequence`
          ),
          run`INSERT INTO slot (wallet_id, sequence) VALUES (${wallet}, ${sequence})`,
          expectChanges(
            submissionIds.length,
            run`UPDATE submission
              SET status = 'broadcast', sequence = ${sequence}, transaction_hash = ${hash}, updated_at = ${now()},
                history = ${signedLine(signedTx, now())}
              WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)} AND status = 'queued'`,
            `a submission for slot ${sequence} is not queued`
          ),
          run(insertSignedTx(signedTx))
        )
      }),

    addSignedTx: signedTx =>
      write(async transaction => {
        const { sequence, hash, submissionIds } = signedTx
        await allOf(
          transaction.run(insertSignedTx(signedTx)),
          transaction.run`UPDATE submission SET transaction_hash = ${hash}, updated_at = ${now()},
              history = ${signedLine(signedTx, now())}
            WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)}
              AND sequence = ${sequence} AND status = 'broadcast'`
        )
      }),

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
      write(async transaction => settled(transaction, await adoptAll(transaction, requests, true))),

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
