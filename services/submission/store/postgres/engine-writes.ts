import type { Submission } from '../../types.ts'
import { StoreConflictError } from '../errors.ts'
import { toSubmission } from '../rows/index.ts'
import type { BlockOutcome, News, SubmissionOutcome, Variant, WalletRequest } from '../types.ts'
import { utcDay } from '../utc-day.ts'
import { adoptRequests } from './adoption.ts'
import { engineSql as sql } from './engine-statements.ts'
import { channelOf, writeNews } from './news.ts'
import type { PostgresOutbox } from './outbox.ts'
import type { Queries, Statement } from './queries.ts'

/** The transaction and block that consumed a slot. */
type Place = { sequence: number; transactionHash: string; height: number }

export type EngineWrites = ReturnType<typeof createEngineWrites>

/** Writes the events of submissions that a transaction has settled. */
export type SettledWriter = Pick<PostgresOutbox, 'writeSettled'>

/** The leader's writes in one transaction. They are sent together, and checked when `done` resolves, before the commit. */
export function createEngineWrites({
  queries,
  wallet,
  now,
  outbox
}: {
  queries: Queries
  wallet: number
  now: () => number
  outbox: SettledWriter | undefined
}) {
  const steps: Promise<unknown>[] = []

  /** Its error is for whoever awaits `done`, which may be called later. */
  function add(step: Promise<unknown>): void {
    step.catch(() => {})
    steps.push(step)
  }

  function run(statement: Statement, parameters: object): void {
    add(queries.run(statement, { wallet, ...parameters }))
  }

  /** A write that changes another number of rows throws, which rolls the transaction back. */
  function expect(count: number, statement: Statement, parameters: object, conflict: string): void {
    const written = queries.run(statement, { wallet, ...parameters })
    add(
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
  }

  function addVariant(variant: Variant): void {
    insertVariant(variant)
    run(sql.setTransactionHash, { ...variant, now: now() })
  }

  function openSlot(variant: Variant): void {
    const { sequence, submissionIds, hash } = variant
    expect(1, sql.advanceSequence, { sequence }, `sequence ${sequence} is not the next one`)
    run(sql.insertSlot, { sequence })
    const conflict = `a submission for slot ${sequence} is not queued`
    expect(
      submissionIds.length,
      sql.assignSubmissions,
      { sequence, submissionIds, hash, now: now() },
      conflict
    )
    insertVariant(variant)
  }

  /** Writes the outcomes of a slot: a statement for each status, however many submissions have it. */
  function writeOutcomes(all: readonly SubmissionOutcome[], place: Place): void {
    function write(statement: Statement, outcomes: readonly SubmissionOutcome[], values: object): void {
      if (outcomes.length === 0) return
      const submissionIds = outcomes.map(({ submissionId }) => submissionId)
      const conflict = `of ${submissionIds.join(', ')} not all are in slot ${place.sequence}`
      const parameters = { ...place, ...values, submissionIds, now: now() }
      expect(outcomes.length, statement, parameters, conflict)
    }

    const committed = all.flatMap(outcome => (outcome.status === 'committed' ? [outcome] : []))
    write(sql.commitSubmissions, committed, {
      txIds: committed.map(({ txId = null }) => txId),
      gasUsed: committed.map(({ gasUsed }) => gasUsed),
      gasWanted: committed.map(({ gasWanted }) => gasWanted),
      events: committed.map(({ events }) => JSON.stringify(events))
    })
    const rejected = all.flatMap(outcome => (outcome.status === 'rejected' ? [outcome] : []))
    write(sql.rejectBroadcast, rejected, { errors: rejected.map(({ error }) => JSON.stringify(error)) })
    const queued = all.flatMap(outcome => (outcome.status === 'queued' ? [outcome] : []))
    write(
      sql.requeue,
      queued.filter(({ failure }) => failure === undefined),
      {}
    )
    const failures = queued.flatMap(({ failure }) => failure ?? [])
    write(
      sql.requeueSuspects,
      queued.filter(({ failure }) => failure !== undefined),
      {
        errors: failures.map(({ refusal }) => JSON.stringify(refusal)),
        alone: failures.map(({ alone }) => Number(alone)),
        batchLimits: failures.map(({ batchLimit }) => batchLimit)
      }
    )
  }

  function applyBlock({ height, hash, time, resolutions }: BlockOutcome): void {
    expect(1, sql.advanceCursor, { height, hash, time }, `block ${height} does not follow the cursor`)
    for (const { sequence, transactionHash, origin, outcomes } of resolutions) {
      if (origin === 'foreign') {
        const conflict = `transaction ${transactionHash} is not foreign`
        expect(0, sql.findVariant, { hash: transactionHash }, conflict)
      }
      run(sql.resolveSlot, { sequence, transactionHash, origin, height })
      run(sql.raiseNextSequence, { sequence })
      run(sql.addFee, { transactionHash, day: utcDay(time) })
      run(sql.deleteVariants, { sequence })
      writeOutcomes(outcomes, { sequence, transactionHash, height })
      const conflict = `slot ${sequence} is resolved, but a submission in it is not`
      expect(0, sql.findLeftInSlot, { sequence }, conflict)
    }
  }

  /** Where there is an outbox, the events of submissions that were settled before are written with them. */
  function writeEvents(submissionIds: readonly string[]): void {
    if (outbox && submissionIds.length > 0) add(outbox.writeSettled(queries, submissionIds))
  }

  async function settled(submissionIds: readonly string[]): Promise<Submission[]> {
    if (submissionIds.length === 0) return []
    const news: News = { kind: 'settled', submissionIds }
    run(sql.notify, { channel: channelOf(wallet), payload: writeNews(news) })
    writeEvents(submissionIds)
    const rows = await queries.all(sql.settledSubmissions, { wallet, submissionIds })
    const submissions = new Map(rows.map(toSubmission).map(found => [found.submissionId, found]))
    return submissionIds.flatMap(submissionId => submissions.get(submissionId) ?? [])
  }

  return {
    run,
    expect,
    addVariant,
    openSlot,
    applyBlock,
    adopt: (requests: readonly WalletRequest[]) => adoptRequests(requests, { queries, wallet, now }),
    settled,
    writeEvents,
    done: () => Promise.all(steps)
  }
}
