import { identityKey } from '../../identities.ts'
import type { Refusal, Submission } from '../../types.ts'
import { planAdoption } from '../adoption.ts'
import { contentHash } from '../content-hash.ts'
import type { EngineStore } from '../engine-store.ts'
import { StoreConflictError } from '../errors.ts'
import { settlement } from '../operator-store.ts'
import { createReportDesk } from '../reports.ts'
import {
  contentHashOf,
  settledSubmission,
  statusOf,
  toAmount,
  toCreation,
  toQueuedMessage,
  toSubmission,
  toSubmissionId,
  toVariant
} from '../rows/index.ts'
import { readEach } from '../rows/read-each.ts'
import { settlingTime } from '../settling-time.ts'
import type { BlockOutcome, Execution, SubmissionOutcome, Variant, WalletRequest } from '../types.ts'
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

  /** @returns the ids of the submissions that were settled */
  function adoptOne(request: WalletRequest): string[] {
    const { typeUrl, message, execution } = request
    const hash = contentHash(typeUrl, message)
    const { settled, keys } = planAdoption(request, identity => {
      const row = sql.findHolder.get({ key: identityKey(identity) })
      if (row === undefined || statusOf(row) === 'rejected') return undefined
      return {
        submissionId: toSubmissionId(row),
        status: statusOf(row),
        isSame: hash.equals(contentHashOf(row))
      }
    })
    const settle = (one: Execution) => sql.settleUnsettled.run({ ...settlement(one, request), now: now() })
    for (const one of settled) {
      expect(1, settle(one), `${one.submissionId} is settled already`)
      sql.leaveVariants.run({ id: JSON.stringify(one.submissionId) })
    }
    if (keys.length > 0) {
      const { submissionId } = execution
      sql.insertSubmission.run({ submissionId, hash, typeUrl, message: Buffer.from(message), now: now() })
      for (const key of keys) sql.holdIdentity.run({ key, submissionId })
      settle(execution)
    }
    return settled.map(({ submissionId }) => submissionId)
  }

  function adopt(requests: readonly WalletRequest[]): Submission[] {
    const ids = requests.flatMap(adoptOne)
    if (ids.length === 0) return []
    outbox?.writeSettled(ids)
    return existing(ids)
  }

  /** Adds the fee of a transaction in a block; a foreign one has no variant. Amounts may be too large for SQLite's integers. */
  function addFee(hash: string, time: number): void {
    const variant = sql.feeOfVariant.get({ hash })
    if (variant === undefined) return
    const day = utcDay(time)
    readEach([sql.feesPaid.get({ day })], toAmount).forEach(paid => {
      sql.putFeesPaid.run({ day, amount: String(paid + toAmount(variant)) })
    })
  }

  /** @param at the time of the change */
  function applyBlock({ height, hash, time, resolutions }: BlockOutcome, at: number): Settled[] {
    expect(1, sql.advanceCursor.run({ height, hash, time }), `block ${height} does not follow the cursor`)
    const settled: Settled[] = []
    for (const { sequence, transactionHash, origin, outcomes } of resolutions) {
      if (origin === 'foreign' && sql.findVariant.get({ hash: transactionHash }) !== undefined) {
        throw new StoreConflictError(`transaction ${transactionHash} is not foreign`)
      }
      sql.resolveSlot.run({ sequence, transactionHash, origin, height })
      sql.raiseNextSequence.run({ sequence })
      addFee(transactionHash, time)
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
    const adopted: Submission[] = []
    const settled = blocks.flatMap(block => {
      const ownSettled = applyBlock(block, updatedAt)
      adopted.push(...adopt(block.adoptions ?? []))
      return ownSettled
    })
    sql.dateSettled.run({ at: settlingTime(blocks, updatedAt) })
    const ids = settled.map(({ outcome }) => outcome.submissionId)
    if (ids.length > 0) outbox?.writeSettled(ids)
    const creations = new Map(sql.findCreations.all({ submissionIds: JSON.stringify(ids) }).map(toCreation))
    const own = settled.flatMap(({ outcome, place }) => {
      const createdAt = creations.get(outcome.submissionId)
      return createdAt === undefined ? [] : settledSubmission(outcome, place, { createdAt, updatedAt })
    })
    return [...own, ...adopted]
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
    correctSequence: (from, to) =>
      atomically(connection, () => {
        expect(
          1,
          sql.correctSequence.run({ from, to }),
          `sequence ${from} is not the next one, or a slot is open`
        )
      }),
    setProbePassed: () => atomically(connection, () => void sql.setProbePassed.run({})),
    excuseFailures: () => atomically(connection, () => void sql.excuseFailures.run({})),
    queued: async (limit, onDamage) => readEach(sql.queued.all({ limit }), toQueuedMessage, onDamage),
    openVariants: async () => sql.openVariants.all({}).map(toVariant),
    openSlot: variant => atomically(connection, () => openSlot(variant)),
    addVariant: variant => atomically(connection, () => addVariant(variant)),
    reject: (submissionId, error) => atomically(connection, () => rejectQueued(submissionId, error)),
    applyBlocks: blocks => atomically(connection, () => applyBlocks(blocks)),
    adopt: requests => atomically(connection, () => adopt(requests)),
    putReport
  }
}
