import type { Submission } from '../../types.ts'
import { StoreConflictError } from '../errors.ts'
import { toSubmission } from '../rows/index.ts'
import type { BlockOutcome, News, SubmissionOutcome, Variant } from '../types.ts'
import { engineSql as sql } from './engine-statements.ts'
import { channelOf, writeNews } from './news.ts'
import type { Queries, Statement } from './queries.ts'

/** The transaction and block that consumed a slot. */
type Place = { sequence: number; transactionHash: string; height: number }

export type EngineWrites = ReturnType<typeof createEngineWrites>

/** The leader's writes in one transaction. They are sent together, and checked when `done` resolves, before the commit. */
export function createEngineWrites(queries: Queries, wallet: number, now: () => number) {
  const steps: Promise<unknown>[] = []

  function run(statement: Statement, parameters: object): void {
    steps.push(queries.run(statement, { wallet, ...parameters }))
  }

  /** A write that changes another number of rows throws, which rolls the transaction back. */
  function expect(count: number, statement: Statement, parameters: object, conflict: string): void {
    const written = queries.run(statement, { wallet, ...parameters })
    steps.push(
      written.then(({ changes }) => {
        if (changes !== count) throw new StoreConflictError(conflict)
      })
    )
  }

  function insertVariant({ submissionIds, bytes, feeAmount, ...variant }: Variant): void {
    run(sql.insertVariant, {
      ...variant,
      bytes: Buffer.from(bytes),
      feeAmount: String(feeAmount),
      submissionIds: JSON.stringify(submissionIds)
    })
    run(sql.setTransactionHash, { ...variant, submissionIds, now: now() })
  }

  function openSlot(variant: Variant): void {
    const { sequence, submissionIds } = variant
    expect(1, sql.advanceSequence, { sequence }, `sequence ${sequence} is not the next one`)
    run(sql.insertSlot, { sequence })
    const conflict = `a submission for slot ${sequence} is not queued`
    expect(submissionIds.length, sql.assignSubmissions, { sequence, submissionIds, now: now() }, conflict)
    insertVariant(variant)
  }

  function writeOutcome(outcome: SubmissionOutcome, place: Place): void {
    const { submissionId } = outcome
    const parameters = { submissionId, ...place, now: now() }
    const write = (statement: Statement, values: object) =>
      expect(1, statement, { ...parameters, ...values }, `${submissionId} is not in slot ${place.sequence}`)
    switch (outcome.status) {
      case 'queued': {
        const { failure } = outcome
        if (!failure) write(sql.requeue, {})
        else {
          const { refusal, alone, batchLimit } = failure
          write(sql.requeueSuspect, { error: JSON.stringify(refusal), alone: Number(alone), batchLimit })
        }
        break
      }
      case 'committed': {
        const { txId = null, gasUsed, gasWanted, events } = outcome
        write(sql.commitSubmission, { txId, gasUsed, gasWanted, events: JSON.stringify(events) })
        break
      }
      case 'rejected':
        write(sql.rejectBroadcast, { error: JSON.stringify(outcome.error) })
    }
  }

  function applyBlock({ height, hash, resolutions }: BlockOutcome): void {
    expect(1, sql.advanceCursor, { height, hash }, `block ${height} does not follow the cursor`)
    for (const { sequence, transactionHash, origin, outcomes } of resolutions) {
      if (origin === 'foreign') {
        const conflict = `transaction ${transactionHash} is not foreign`
        expect(0, sql.findVariant, { hash: transactionHash }, conflict)
      }
      run(sql.resolveSlot, { sequence, transactionHash, origin, height })
      run(sql.raiseNextSequence, { sequence })
      run(sql.deleteVariants, { sequence })
      for (const outcome of outcomes) writeOutcome(outcome, { sequence, transactionHash, height })
      const conflict = `slot ${sequence} is resolved, but a submission in it is not`
      expect(0, sql.findLeftInSlot, { sequence }, conflict)
    }
  }

  async function settled(submissionIds: readonly string[]): Promise<Submission[]> {
    if (submissionIds.length === 0) return []
    const news: News = { kind: 'settled', submissionIds }
    run(sql.notify, { channel: channelOf(wallet), payload: writeNews(news) })
    const rows = await queries.all(sql.settledSubmissions, { wallet, submissionIds })
    const submissions = new Map(rows.map(toSubmission).map(found => [found.submissionId, found]))
    return submissionIds.flatMap(submissionId => submissions.get(submissionId) ?? [])
  }

  return { run, expect, insertVariant, openSlot, applyBlock, settled, done: () => Promise.all(steps) }
}
