import type { Refusal, Submission } from '../../types.ts'
import type { EngineStore } from '../engine-store.ts'
import { StoreConflictError } from '../errors.ts'
import type { Execution } from '../operator-store.ts'
import { createReportDesk } from '../reports.ts'
import {
  settledSubmission,
  toAmount,
  toCreation,
  toQueuedMessage,
  toSubmission,
  toVariant
} from '../rows/index.ts'
import type { BlockOutcome, SubmissionOutcome, Variant } from '../types.ts'
import { utcDay } from '../utc-day.ts'
import { atomically, type Connection } from './database.ts'
import type { SqliteOutbox } from './outbox.ts'
import { prepareEngineStatements } from './statements.ts'

/** The transaction and block that consumed a slot. */
type Place = { sequence: number; transactionHash: string; height: number }

/** A submission that a block settled, as its row is now, apart from the times. */
interface Settled {
  outcome: Execution
  place: Place
}

/** A write that changes another number of rows throws, which rolls the transaction back. */
function expect(count: number, { changes }: { changes: number }, conflict: string): void {
  if (changes !== count) throw new StoreConflictError(conflict)
}

/**
 * The leader's part of the embedded store, for whoever has the data directory alone.
 * @param outbox where there is one, what settles a submission writes its event
 */
export function createEngineStore(
  connection: Connection,
  now: () => number = Date.now,
  { putReport }: Pick<EngineStore, 'putReport'> = createReportDesk(now),
  outbox?: Pick<SqliteOutbox, 'writeSettled'>
): EngineStore {
  const sql = prepareEngineStatements(connection)

  function existing(submissionIds: readonly string[]): Submission[] {
    return sql.findSubmissions.all({ submissionIds: JSON.stringify(submissionIds) }).map(toSubmission)
  }

  function insertVariant({ hash, sequence, bytes, gasLimit, feeAmount, submissionIds }: Variant): void {
    sql.insertVariant.run({
      hash,
      sequence,
      bytes: Buffer.from(bytes),
      gasLimit,
      feeAmount: String(feeAmount),
      submissionIds: JSON.stringify(submissionIds)
    })
  }

  function addVariant(variant: Variant): void {
    const { sequence, hash, submissionIds } = variant
    insertVariant(variant)
    sql.setTransactionHash.run({ sequence, hash, submissionIds: JSON.stringify(submissionIds), now: now() })
  }

  function openSlot(variant: Variant): void {
    const { sequence, hash, submissionIds } = variant
    expect(1, sql.advanceSequence.run({ sequence }), `sequence ${sequence} is not the next one`)
    sql.insertSlot.run({ sequence })
    const ids = JSON.stringify(submissionIds)
    const assigned = sql.assignSubmissions.run({ sequence, hash, submissionIds: ids, now: now() })
    expect(submissionIds.length, assigned, `a submission for slot ${sequence} is not queued`)
    insertVariant(variant)
  }

  function rejectQueued(submissionId: string, error: Refusal): Submission {
    const written = sql.rejectQueued.run({ submissionId, error: JSON.stringify(error), now: now() })
    expect(1, written, `${submissionId} is not queued`)
    const [rejected] = existing([submissionId])
    if (!rejected) throw new StoreConflictError(`submission ${submissionId} does not exist`)
    outbox?.writeSettled([submissionId])
    return rejected
  }

  function writeOutcome(outcome: SubmissionOutcome, place: Place, at: number): { changes: number } {
    const { submissionId } = outcome
    switch (outcome.status) {
      case 'queued': {
        const { failure } = outcome
        if (!failure) return sql.requeue.run({ submissionId, sequence: place.sequence, now: at })
        return sql.requeueSuspect.run({
          submissionId,
          sequence: place.sequence,
          error: JSON.stringify(failure.refusal),
          alone: Number(failure.alone),
          batchLimit: failure.batchLimit,
          now: at
        })
      }
      case 'committed': {
        const { txId = null, gasUsed, gasWanted } = outcome
        const events = JSON.stringify(outcome.events)
        return sql.commitSubmission.run({ submissionId, ...place, txId, gasUsed, gasWanted, events, now: at })
      }
      case 'rejected': {
        const error = JSON.stringify(outcome.error)
        return sql.rejectBroadcast.run({ submissionId, ...place, error, now: at })
      }
    }
  }

  /** Adds the fee of a transaction in a block; a foreign one has no variant. Amounts may be too large for SQLite's integers. */
  function addFee(hash: string): void {
    const variant = sql.feeOfVariant.get({ hash })
    if (variant === undefined) return
    const day = utcDay(now())
    const amount = toAmount(sql.feesPaid.get({ day })) + toAmount(variant)
    sql.putFeesPaid.run({ day, amount: String(amount) })
  }

  /** @param at the time of the change */
  function applyBlock({ height, hash, resolutions }: BlockOutcome, at: number): Settled[] {
    expect(1, sql.advanceCursor.run({ height, hash }), `block ${height} does not follow the cursor`)
    const settled: Settled[] = []
    for (const { sequence, transactionHash, origin, outcomes } of resolutions) {
      if (origin === 'foreign' && sql.findVariant.get({ hash: transactionHash }) !== undefined) {
        throw new StoreConflictError(`transaction ${transactionHash} is not foreign`)
      }
      sql.resolveSlot.run({ sequence, transactionHash, origin, height })
      sql.raiseNextSequence.run({ sequence })
      addFee(transactionHash)
      sql.deleteVariants.run({ sequence })
      const place = { sequence, transactionHash, height }
      for (const outcome of outcomes) {
        const written = writeOutcome(outcome, place, at)
        expect(1, written, `${outcome.submissionId} is not in slot ${sequence}`)
        if (outcome.status !== 'queued') settled.push({ outcome, place })
      }
      if (sql.findLeftInSlot.get({ sequence }) !== undefined) {
        throw new StoreConflictError(`slot ${sequence} is resolved, but a submission in it is not`)
      }
    }
    return settled
  }

  function applyBlocks(blocks: readonly BlockOutcome[]): Submission[] {
    const updatedAt = now()
    const settled = blocks.flatMap(block => applyBlock(block, updatedAt))
    const ids = settled.map(({ outcome }) => outcome.submissionId)
    if (ids.length > 0) outbox?.writeSettled(ids)
    const creations = new Map(sql.findCreations.all({ submissionIds: JSON.stringify(ids) }).map(toCreation))
    return settled.flatMap(({ outcome, place }) => {
      const createdAt = creations.get(outcome.submissionId)
      return createdAt === undefined ? [] : settledSubmission(outcome, place, { createdAt, updatedAt })
    })
  }

  return {
    putSigner: state =>
      atomically(connection, () => {
        const { accountNumber, probePassed, ...rest } = state
        sql.putSigner.run({
          ...rest,
          accountNumber: String(accountNumber),
          probePassed: Number(probePassed)
        })
      }),
    setProbePassed: () => atomically(connection, () => void sql.setProbePassed.run({})),
    excuseFailures: () => atomically(connection, () => void sql.excuseFailures.run({})),
    queued: async limit => sql.queued.all({ limit }).map(toQueuedMessage),
    openVariants: async () => sql.openVariants.all({}).map(toVariant),
    openSlot: variant => atomically(connection, () => openSlot(variant)),
    addVariant: variant => atomically(connection, () => addVariant(variant)),
    reject: (submissionId, error) => atomically(connection, () => rejectQueued(submissionId, error)),
    applyBlocks: blocks => atomically(connection, () => applyBlocks(blocks)),
    putReport
  }
}
