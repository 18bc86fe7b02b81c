import type { Submission } from '../types.ts'
import { planAdoption } from './adoption.ts'
import { contentHash } from './content-hash.ts'
import type { EngineStore } from './engine-store.ts'
import { StoreConflictError } from './errors.ts'
import type { EventWriter } from './event-outbox.ts'
import { claimIdentities, insertSubmissions } from './intake.ts'
import { type Place, settlement } from './operator-store.ts'
import {
  contentHashOf,
  SUBMISSION_COLUMNS,
  statusOf,
  toFeeDay,
  toPaidFee,
  toQueuedMessage,
  toSubmission,
  toSubmissionId,
  toVariant
} from './rows/index.ts'
import { readEach } from './rows/read-each.ts'
import { settlingTime } from './settling-time.ts'
import { isAnyOf, type Queries, raw, rowsOf, type Sql, sql, type Transaction } from './sql.ts'
import { keyOfIdentity } from './stored-key.ts'
import { allOf, createTermWrites, expectChanges, type Home } from './term-writes.ts'
import type {
  BlockOutcome,
  Execution,
  SlotResolution,
  SubmissionOutcome,
  Variant,
  WalletRequest
} from './types.ts'
import { utcDayNumber } from './utc-day.ts'

/** What has become of a submission. */
export const OUTCOME = {
  submission_id: 'TEXT',
  /** Of a submission in a slot. */
  slot: 'BIGINT',
  status: 'TEXT',
  /** The slot that it belongs to from now on. */
  sequence: 'BIGINT',
  transaction_hash: 'TEXT',
  height: 'BIGINT',
  tx_id: 'BIGINT',
  gas_used: 'BIGINT',
  gas_wanted: 'BIGINT',
  events: 'TEXT',
  error: 'TEXT'
} as const

const SLOT = { sequence: 'BIGINT', transaction_hash: 'TEXT', origin: 'TEXT', height: 'BIGINT' } as const

const UNSETTLED = sql`submission.status IN ('queued', 'broadcast')`
const IN_SLOT = sql`submission.status = 'broadcast' AND submission.sequence = outcome.slot`

function outcomeRow(outcome: SubmissionOutcome, slot: SlotResolution & Place) {
  const { sequence } = slot
  if (outcome.status !== 'queued') return { ...settlement(outcome, slot), slot: sequence, sequence }
  return { submission_id: outcome.submissionId, slot: sequence, status: outcome.status }
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
 * The leader's part of the store in one term.
 * @param options.events where there is a receiver of webhooks, what settles a submission writes its event
 */
export function createEngineStore(
  options: Home & {
    epoch: number
    events?: EventWriter | undefined
    /** Keeps reports elsewhere than in the table of wallets. */
    putReport?: EngineStore['putReport']
  }
): EngineStore {
  const { database, wallet, now, events } = options
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
    const own = new Map(variants.map(toPaidFee))
    for (const { origin, transactionHash } of blocks.flatMap(({ resolutions }) => resolutions)) {
      if (origin === 'own' || !own.has(transactionHash)) continue
      throw new StoreConflictError(`transaction ${transactionHash} is not foreign`)
    }
    const before = new Map(readEach(paid, toFeeDay))
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
    const settled = outcomes.flatMap(({ submission_id: id, status }) => (status === 'queued' ? [] : id))
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
    const slots = resolutions.map(({ transactionHash, ...slot }) => ({
      ...slot,
      transaction_hash: transactionHash
    }))
    writes.push(
      run(
        sql`INSERT INTO slot (wallet_id, sequence, transaction_hash, origin, height)
          SELECT wallet_id, sequence, transaction_hash, origin, height
          FROM ${rowsOf('resolved', wallet, SLOT, slots)} WHERE true
          ON CONFLICT (wallet_id, sequence) DO UPDATE
          SET transaction_hash = excluded.transaction_hash, origin = excluded.origin, height = excluded.height`
      ),
      run(sql`UPDATE signer SET next_sequence = ${next} WHERE ${ofWallet} AND next_sequence < ${next}`),
      run(sql`DELETE FROM variant WHERE ${ofWallet} AND sequence ${isAnyOf(sequences)}`),
      expectChanges(
        outcomes.length,
        writeOutcomes(options, transaction, outcomes, IN_SLOT),
        `of ${outcomes.map(({ submission_id: id }) => id).join(', ')} not all are in slot ${sequences.join(', ')}`
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
      const row = holders.get(keyOfIdentity(identity))
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
    await hold(keys.map(key => ({ key, submission_id: submissionId })))
    if (keys.length > 0) await settleUnsettled(options, transaction, execution, request)
    return settled.map(({ submissionId }) => submissionId)
  }

  async function adoptAll(transaction: Transaction, requests: readonly WalletRequest[]): Promise<string[]> {
    const ids: string[] = []
    for (const request of requests) ids.push(...(await adoptOne(transaction, request)))
    return ids
  }

  return {
    putSigner: ({ accountNumber, probePassed, ...signer }) =>
      change(
        sql`INSERT INTO signer (wallet_id, address, chain_id, account_number, next_sequence, cursor_height,
            cursor_hash, probe_passed)
          VALUES (${wallet}, ${signer.address}, ${signer.chainId}, ${String(accountNumber)}, ${signer.nextSequence},
                  ${signer.cursorHeight}, ${signer.cursorHash}, ${Number(probePassed)})`
      ),

    correctSequence: (from, to) =>
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

    setProbePassed: () => change(sql`UPDATE signer SET probe_passed = 1 WHERE ${ofWallet}`),

    queued: async (limit, onDamage) =>
      readEach(
        await database.all(
          sql`SELECT submission_id, content_hash, type_url, message FROM submission
            WHERE ${ofWallet} AND status = 'queued' ORDER BY position LIMIT ${limit}`
        ),
        toQueuedMessage,
        onDamage
      ),

    openVariants: async () =>
      (
        await database.all(
          sql`SELECT hash, sequence, bytes, gas_limit, fee_amount, submission_ids
            FROM variant WHERE ${ofWallet} ORDER BY sequence, position`
        )
      ).map(toVariant),

    openSlot: variant =>
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

    addVariant: variant =>
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

    reject: (submissionId, error) =>
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

    applyBlocks: blocks =>
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
        // Whatever has settled them since the last block.
        const dateSettled = sql`UPDATE submission SET settled_at = ${settlingTime(blocks, now())}
          WHERE ${ofWallet} AND status IN ('committed', 'rejected') AND settled_at IS NULL`
        const sent = [...writes, addFees(), transaction.run(dateSettled)]
        const result = settled(transaction, [...own, ...adopted])
        await allOf(...sent, result)
        return result
      }),

    adopt: requests =>
      write(async transaction => settled(transaction, await adoptAll(transaction, requests))),

    putReport: report =>
      write(async ({ run, announce }) => {
        await run(
          sql`UPDATE wallet SET report = ${JSON.stringify(report)}, reported_at = ${now()} WHERE ${ofWallet}`
        )
        await announce({ kind: 'reported' }, wallet)
      }),

    ...(options.putReport && { putReport: options.putReport })
  }
}
