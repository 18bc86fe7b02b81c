import { contentHash, identityKey } from '../identities.ts'
import type { Refusal, Submission } from '../types.ts'
import { planAdoption } from './adoption.ts'
import { StoreConflictError, TermEndedError } from './errors.ts'
import { claimIdentities, insertSubmissions } from './intake.ts'
import type { EventWriter } from './outbox.ts'
import {
  contentHashOf,
  type DamageObserver,
  QUEUED_COLUMNS,
  readEach,
  SUBMISSION_COLUMNS,
  statusOf,
  toFeeDay,
  toPaidFee,
  toQueuedMessage,
  toSubmission,
  toSubmissionId,
  toVariant,
  VARIANT_COLUMNS
} from './rows.ts'
import { isAnyOf, type Queries, raw, rowsOf, type Sql, sql, type Transaction } from './sql.ts'
import { allOf, createTermWrites, expectChanges, type Home } from './term-writes.ts'
import type {
  BlockOutcome,
  Execution,
  LeaderReport,
  SignerState,
  SlotResolution,
  SubmissionOutcome,
  Variant,
  WalletRequest
} from './types.ts'
import { utcDayNumber } from './utc-day.ts'

/** What has become of a submission. */
export const OUTCOME = {
  submissionId: 'TEXT',
  /** Of a submission in a slot. */
  slot: 'BIGINT',
  status: 'TEXT',
  /** The slot that it belongs to from now on. */
  sequence: 'BIGINT',
  transactionHash: 'TEXT',
  height: 'BIGINT',
  txId: 'BIGINT',
  gasUsed: 'BIGINT',
  gasWanted: 'BIGINT',
  events: 'TEXT',
  error: 'TEXT'
} as const

const SLOT = { sequence: 'BIGINT', transactionHash: 'TEXT', origin: 'TEXT', height: 'BIGINT' } as const

/** Where the chain executed something. */
export interface Place {
  transactionHash: string
  height: number
}

/** The columns that a settled submission gets; those that are left out are NULL. */
export function settlement(execution: Execution, { transactionHash, height }: Place) {
  const { submissionId, status } = execution
  const base = { submissionId, status, transactionHash, height }
  if (execution.status === 'rejected') return { ...base, error: JSON.stringify(execution.error) }
  const { txId, gasUsed, gasWanted, events } = execution
  return { ...base, txId, gasUsed, gasWanted, events: JSON.stringify(events) }
}

const UNSETTLED = sql`submission.status IN ('queued', 'broadcast')`
const IN_SLOT = sql`submission.status = 'broadcast' AND submission.sequence = outcome.slot`

function outcomeRow(outcome: SubmissionOutcome, slot: SlotResolution & Place) {
  const { sequence } = slot
  if (outcome.status !== 'queued') return { ...settlement(outcome, slot), slot: sequence, sequence }
  return { submissionId: outcome.submissionId, slot: sequence, status: outcome.status }
}

/** Writes what has become of submissions, in one statement. @param condition on the submission and its `outcome` */
function writeOutcomes(
  { wallet, now }: Home,
  { run }: Queries,
  outcomes: Parameters<typeof rowsOf<typeof OUTCOME>>[3],
  condition: Sql
): Promise<number> {
  return run(
    sql`UPDATE submission
      SET status = outcome.status, sequence = outcome.sequence, tx_id = outcome.tx_id,
          transaction_hash = outcome.transaction_hash, height = outcome.height, gas_used = outcome.gas_used,
          gas_wanted = outcome.gas_wanted, events = outcome.events, error = outcome.error, updated_at = ${now()}
      FROM ${rowsOf('outcome', wallet, OUTCOME, outcomes)}
      WHERE submission.wallet_id = outcome.wallet_id AND submission.submission_id = outcome.submission_id AND ${condition}`
  )
}

/** Settles a submission by a transaction of that slot; without one, by a transaction that the store does not have. */
async function settleUnsettled(
  home: Home,
  queries: Queries,
  execution: Execution,
  place: Place,
  sequence: number | null = null
): Promise<void> {
  const written = writeOutcomes(home, queries, [{ ...settlement(execution, place), sequence }], UNSETTLED)
  await expectChanges(1, written, `${execution.submissionId} is settled already`)
}

/**
 * The part of the store that only the leader changes. Every method is one database transaction, with the rules of
 * `SubmissionStore`. The keys guarantee one slot per sequence and one slot per submission. A write throws TermEndedError
 * once a newer term has begun or this one was resigned, and may throw StoreUncertainError. A read may then be stale.
 * @param options.events where there is a receiver of webhooks, what settles a submission writes its event
 */
export function createEngineStore(
  options: Home & {
    epoch: number
    ended?: AbortSignal
    events?: EventWriter | undefined
    /** Keeps reports elsewhere than in the table of wallets. */
    keepReport?: (report: LeaderReport) => void
  }
) {
  const { database, wallet, now, events, ended, keepReport } = options
  const write = createTermWrites(options)
  const ofWallet = sql`wallet_id = ${wallet}`

  const change = (statement: Sql) => write(async ({ run }) => void (await run(statement)))

  function insertVariant({ run }: Queries, variant: Variant): Promise<number> {
    const { hash, sequence, bytes, gasLimit, feeAmount, submissionIds } = variant
    return run(
      sql`INSERT INTO variant (wallet_id, hash, sequence, bytes, gas_limit, fee_amount, submission_ids)
        VALUES (${wallet}, ${hash}, ${sequence}, ${bytes}, ${gasLimit}, ${String(feeAmount)},
                ${JSON.stringify(submissionIds)})`
    )
  }

  /** Reads settled submissions, in that order, and tells those who wait for them. */
  async function settled(transaction: Transaction, submissionIds: readonly string[]): Promise<Submission[]> {
    if (submissionIds.length === 0) return []
    const [rows] = await allOf(
      transaction.all(
        sql`SELECT ${raw(SUBMISSION_COLUMNS)} FROM submission
          WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)}`
      ),
      transaction.announce({ kind: 'settled', submissionIds }, wallet),
      events?.writeSettled(transaction, submissionIds)
    )
    const found = new Map(readEach(rows, toSubmission).map(one => [one.submissionId, one]))
    return submissionIds.flatMap(submissionId => found.get(submissionId) ?? [])
  }

  /**
   * Reads what own transactions in blocks have cost; foreign ones have no variant. Amounts may be too large for integers.
   * @returns a function that adds it to the fees of the days
   * @throws StoreConflictError when an own transaction is said to be foreign
   */
  async function readFees({ all, run }: Queries, blocks: readonly BlockOutcome[]) {
    const days = new Map<string, number>()
    for (const { time, resolutions } of blocks) {
      for (const { transactionHash } of resolutions) days.set(transactionHash, utcDayNumber(time))
    }
    if (days.size === 0) return async () => {}
    const [variants, paid] = await allOf(
      all(sql`SELECT hash, fee_amount FROM variant WHERE ${ofWallet} AND hash ${isAnyOf([...days.keys()])}`),
      all(
        sql`SELECT day, amount FROM fee_day WHERE ${ofWallet} AND day ${isAnyOf([...new Set(days.values())])}`
      )
    )
    const own = new Map(variants.map(toPaidFee).map(({ hash, feeAmount }) => [hash, feeAmount]))
    for (const { origin, transactionHash } of blocks.flatMap(({ resolutions }) => resolutions)) {
      if (origin === 'own' || !own.has(transactionHash)) continue
      throw new StoreConflictError(`transaction ${transactionHash} is not foreign`)
    }
    const before = new Map(readEach(paid, toFeeDay).map(({ day, amount }) => [day, amount]))
    const sums = new Map<number, bigint>()
    for (const [hash, fee] of own) {
      const day = days.get(hash) ?? 0
      sums.set(day, (sums.get(day) ?? 0n) + fee)
    }

    /** A damaged amount stays as it is. */
    function add([day, fee]: [number, bigint]): Promise<number> {
      const earlier = before.get(day) ?? 0n
      return run(
        sql`INSERT INTO fee_day (wallet_id, day, amount) VALUES (${wallet}, ${day}, ${String(earlier + fee)})
          ON CONFLICT (wallet_id, day) DO UPDATE SET amount = excluded.amount WHERE fee_day.amount = ${String(earlier)}`
      )
    }
    return async () => void (await allOf(...[...sums].map(add)))
  }

  /** Sends the writes of consecutive blocks, apart from their adoptions. @returns these writes, and what they settle */
  function applyOwn(transaction: Transaction, blocks: readonly BlockOutcome[], last: BlockOutcome) {
    const { run, get } = transaction
    const from = last.height - blocks.length
    const skipped = blocks.find(({ height }, index) => height !== from + 1 + index)
    if (skipped) throw new StoreConflictError(`block ${skipped.height} does not follow the one before it`)
    const resolutions = blocks.flatMap(({ resolutions, height }) =>
      resolutions.map(one => ({ ...one, height }))
    )
    const outcomes = resolutions.flatMap(one => one.outcomes.map(outcome => outcomeRow(outcome, one)))
    const settled = outcomes.flatMap(({ submissionId, status }) => (status === 'queued' ? [] : submissionId))
    const writes: Promise<unknown>[] = [
      expectChanges(
        1,
        run(
          sql`UPDATE signer SET cursor_height = ${last.height}, cursor_hash = ${last.hash}, cursor_time = ${last.time}
            WHERE ${ofWallet} AND cursor_height = ${from}`
        ),
        `block ${from + 1} does not follow the cursor`
      )
    ]
    if (resolutions.length === 0) return { settled, writes }
    const sequences = resolutions.map(({ sequence }) => sequence)
    const next = Math.max(...sequences) + 1
    writes.push(
      run(
        sql`INSERT INTO slot (wallet_id, sequence, transaction_hash, origin, height)
          SELECT wallet_id, sequence, transaction_hash, origin, height
          FROM ${rowsOf('resolved', wallet, SLOT, resolutions)} WHERE true
          ON CONFLICT (wallet_id, sequence) DO UPDATE
          SET transaction_hash = excluded.transaction_hash, origin = excluded.origin, height = excluded.height`
      ),
      run(sql`UPDATE signer SET next_sequence = ${next} WHERE ${ofWallet} AND next_sequence < ${next}`),
      run(sql`DELETE FROM variant WHERE ${ofWallet} AND sequence ${isAnyOf(sequences)}`),
      expectChanges(
        outcomes.length,
        writeOutcomes(options, transaction, outcomes, IN_SLOT),
        `of ${outcomes.map(({ submissionId }) => submissionId).join(', ')} not all are in slot ${sequences.join(', ')}`
      ),
      get(
        sql`SELECT sequence FROM submission
          WHERE ${ofWallet} AND sequence ${isAnyOf(sequences)} AND status = 'broadcast' LIMIT 1`
      ).then(left => {
        if (left === undefined) return
        throw new StoreConflictError(
          `slot ${sequences.join(', ')} is resolved, but a submission in it is not`
        )
      })
    )
    return { settled, writes }
  }

  /** @returns the ids of the submissions that were settled */
  async function adoptOne(transaction: Transaction, request: WalletRequest): Promise<string[]> {
    const { typeUrl, message, execution } = request
    const { submissionId } = execution
    const { holders, hold } = await claimIdentities(options, transaction, [request])
    const hash = contentHash(typeUrl, message)
    const { settled, keys } = planAdoption(request, identity => {
      const row = holders.get(identityKey(identity))
      if (row === undefined || statusOf(row) === 'rejected') return undefined
      const isSame = hash.equals(contentHashOf(row))
      return { submissionId: toSubmissionId(row), status: statusOf(row), isSame }
    })
    for (const one of settled) {
      await settleUnsettled(options, transaction, one, request)
      // Empties its place in signed transactions.
      const id = JSON.stringify(one.submissionId)
      await transaction.run(
        sql`UPDATE variant SET submission_ids = replace(submission_ids, ${id}, '""')
          WHERE ${ofWallet} AND submission_ids <> replace(submission_ids, ${id}, '""')`
      )
    }
    if (keys.length > 0)
      await insertSubmissions(options, transaction, [{ submissionId, typeUrl, message }], now())
    await hold(keys.map(key => ({ key, submissionId })))
    if (keys.length > 0) await settleUnsettled(options, transaction, execution, request)
    return settled.map(({ submissionId }) => submissionId)
  }

  async function adoptAll(transaction: Transaction, requests: readonly WalletRequest[]): Promise<string[]> {
    const ids: string[] = []
    for (const request of requests) ids.push(...(await adoptOne(transaction, request)))
    return ids
  }

  return {
    putSigner: ({ accountNumber, probePassed, ...signer }: SignerState) =>
      change(
        sql`INSERT INTO signer (wallet_id, address, chain_id, account_number, next_sequence, cursor_height,
            cursor_hash, probe_passed)
          VALUES (${wallet}, ${signer.address}, ${signer.chainId}, ${String(accountNumber)}, ${signer.nextSequence},
                  ${signer.cursorHeight}, ${signer.cursorHash}, ${Number(probePassed)})`
      ),

    /**
     * Replaces the next sequence, which was wrong.
     * @throws StoreConflictError when `from` is not the next sequence, or a slot is open
     */
    correctSequence: (from: number, to: number) =>
      write(({ run }) =>
        expectChanges(
          1,
          run(
            sql`UPDATE signer SET next_sequence = ${to} WHERE ${ofWallet} AND next_sequence = ${from}
              AND NOT EXISTS (SELECT 1 FROM variant WHERE ${ofWallet})`
          ),
          `sequence ${from} is not the next one, or a slot is open`
        )
      ),

    /** Records that the chain passes the wallet's probe. */
    setProbePassed: () => change(sql`UPDATE signer SET probe_passed = 1 WHERE ${ofWallet}`),

    /** The oldest queued submissions, oldest first, without damaged ones. */
    queued: async (limit: number, onDamage?: DamageObserver) =>
      readEach(
        await database.all(
          sql`SELECT ${QUEUED_COLUMNS}
            FROM submission WHERE ${ofWallet} AND status = 'queued' ORDER BY position LIMIT ${limit}`
        ),
        toQueuedMessage,
        onDamage
      ),

    /** The variants of all open slots in sequence order, within a slot oldest first. */
    openVariants: async () =>
      (
        await database.all(
          sql`SELECT ${VARIANT_COLUMNS} FROM variant WHERE ${ofWallet} ORDER BY sequence, position`
        )
      ).map(toVariant),

    /**
     * Opens a slot for the variant's sequence and binds its submissions to it.
     * @throws StoreConflictError when the sequence is not the next one or a submission is not queued
     */
    openSlot: (variant: Variant) =>
      write(async transaction => {
        const { run } = transaction
        const { sequence, hash, submissionIds } = variant
        await allOf(
          expectChanges(
            1,
            run(
              sql`UPDATE signer SET next_sequence = ${sequence + 1} WHERE ${ofWallet} AND next_sequence = ${sequence}`
            ),
            `sequence ${sequence} is not the next one`
          ),
          run(sql`INSERT INTO slot (wallet_id, sequence) VALUES (${wallet}, ${sequence})`),
          expectChanges(
            submissionIds.length,
            run(
              sql`UPDATE submission
                SET status = 'broadcast', sequence = ${sequence}, transaction_hash = ${hash}, updated_at = ${now()}
                WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)} AND status = 'queued'`
            ),
            `a submission for slot ${sequence} is not queued`
          ),
          insertVariant(transaction, variant)
        )
      }),

    /** Adds a variant to an open slot. */
    addVariant: (variant: Variant) =>
      write(async transaction => {
        const { sequence, hash, submissionIds } = variant
        await allOf(
          insertVariant(transaction, variant),
          transaction.run(
            sql`UPDATE submission SET transaction_hash = ${hash}, updated_at = ${now()}
              WHERE ${ofWallet} AND submission_id ${isAnyOf(submissionIds)}
                AND sequence = ${sequence} AND status = 'broadcast'`
          )
        )
      }),

    /** Rejects a queued submission, which is in no open slot. @throws StoreConflictError when it is not queued */
    reject: (submissionId: string, error: Refusal) =>
      write(async transaction => {
        const [, [rejected]] = await allOf(
          expectChanges(
            1,
            transaction.run(
              sql`UPDATE submission SET status = 'rejected', error = ${JSON.stringify(error)}, updated_at = ${now()}
                WHERE ${ofWallet} AND submission_id = ${submissionId} AND status = 'queued'`
            ),
            `${submissionId} is not queued`
          ),
          settled(transaction, [submissionId])
        )
        if (!rejected) throw new StoreConflictError(`submission ${submissionId} does not exist`)
        return rejected
      }),

    /**
     * Applies consecutive blocks: outcomes, resolved slots, next sequence, adoptions and cursor together.
     * @returns the submissions that they settled; not those that an adoption created
     * @throws StoreConflictError when a block is not the one after the cursor, or when a submission of a resolved slot
     *   has no outcome
     */
    applyBlocks: (blocks: readonly BlockOutcome[]) =>
      write(async transaction => {
        const addFees = await readFees(transaction, blocks)
        const own: string[] = []
        const adopted: string[] = []
        let group: BlockOutcome[] = []
        let writes: Promise<unknown>[] = []
        for (const block of blocks) {
          group.push(block)
          // What it adopts depends on what it and those before it have settled.
          if (!block.adoptions?.length && block !== blocks.at(-1)) continue
          const applied = applyOwn(transaction, group, block)
          own.push(...applied.settled)
          writes = applied.writes
          group = []
          if (!block.adoptions?.length) continue
          await allOf(...writes)
          adopted.push(...(await adoptAll(transaction, block.adoptions)))
        }
        // Whatever has settled them since the last block, by its time or by the store's clock where that is later, so that a clock
        // that is wrong makes nothing old (interface 7.15).
        const settledAt = Math.max(now(), ...blocks.map(({ time }) => time))
        const dateSettled = sql`UPDATE submission SET settled_at = ${settledAt}
          WHERE ${ofWallet} AND status IN ('committed', 'rejected') AND settled_at IS NULL`
        const sent = [...writes, addFees(), transaction.run(dateSettled)]
        const result = settled(transaction, [...own, ...adopted])
        await allOf(...sent, result)
        return result
      }),

    /**
     * Adopts what transactions have executed that the store does not know, by the rules of `planAdoption`. The variants of a
     * submission that is settled while it is in a slot have an empty id in its place from then on.
     * @returns the submissions that were settled
     */
    adopt: (requests: readonly WalletRequest[]) =>
      write(async transaction => settled(transaction, await adoptAll(transaction, requests))),

    /** Replaces the leader's report. */
    async putReport(report: LeaderReport): Promise<void> {
      if (keepReport) {
        if (ended?.aborted) throw new TermEndedError()
        return keepReport(report)
      }
      await write(async ({ run, announce }) => {
        await run(
          sql`UPDATE wallet SET report = ${JSON.stringify(report)}, reported_at = ${now()} WHERE ${ofWallet}`
        )
        await announce({ kind: 'reported' }, wallet)
      })
    }
  }
}

export type EngineStore = ReturnType<typeof createEngineStore>

/** The right to drive the wallet, until another replica has it. */
export interface Term {
  /** Grows with each term of the wallet. Every write carries it. */
  epoch: number
  store: EngineStore
  /** Set where no other process can lead. */
  isAlone?: true
  /**
   * Aborted when the term is known to be over: resigned, or lost with the lock. That may be known late or never, so only a
   * write shows whether the term still is.
   */
  ended: AbortSignal
  /** Ends the term, so that another one can begin at once. */
  resign(): Promise<void>
}
