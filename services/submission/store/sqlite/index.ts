import { identityKey } from '../../identities.ts'
import type { Identity, Refusal, Submission, SubmissionRequest } from '../../types.ts'
import {
  type BlockOutcome,
  type IntakeRequest,
  type IntakeResult,
  type JoinResult,
  StoreConflictError,
  type SubmissionOutcome,
  type SubmissionStore,
  type Variant
} from '../types.ts'
import { contentHash } from './content-hash.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import {
  baseOf,
  contentHashOf,
  statusOf,
  toCount,
  toQueuedMessage,
  toSignerState,
  toSubmission,
  toTime,
  toVariant
} from './rows.ts'
import { prepareStatements } from './statements.ts'

/** The transaction and block that consumed a slot. */
type Place = { sequence: number; transactionHash: string; height: number }

/** A write that finds no row in the expected state throws, which rolls the transaction back. */
function expectOne({ changes }: { changes: number }, conflict: string): void {
  if (changes !== 1) throw new StoreConflictError(conflict)
}

/**
 * The embedded store: one SQLite file in `directory`, owned by this process.
 * @throws DataDirectoryError
 */
export function createSqliteStore(directory: string, now: () => number = Date.now): SubmissionStore {
  return createStoreOn(openDatabase(directory), now)
}

/** The store on a database that is open already, which it closes. */
export function createStoreOn(
  { connection, close }: OpenDatabase,
  now: () => number = Date.now
): SubmissionStore {
  const sql = prepareStatements(connection)

  function submission(submissionId: string): Submission | undefined {
    const row = sql.findSubmission.get({ submissionId })
    return row === undefined ? undefined : toSubmission(row)
  }

  function existing(submissionId: string): Submission {
    const found = submission(submissionId)
    if (!found) throw new StoreConflictError(`submission ${submissionId} does not exist`)
    return found
  }

  /** The row of the submission that holds an identity. A refused one holds none (interface 7.6). */
  function holderOf(identity: Identity): unknown {
    const row = sql.findHolder.get({ key: identityKey(identity) })
    return row === undefined || statusOf(row) === 'rejected' ? undefined : row
  }

  /** Also the identities that nobody holds. */
  function examine(request: SubmissionRequest): { result: JoinResult | undefined; free: Identity[] } {
    const hash = contentHash(request.typeUrl, request.message)
    const free: Identity[] = []
    let holder: unknown
    for (const identity of request.identities) {
      const row = holderOf(identity)
      if (row === undefined) free.push(identity)
      else if (!hash.equals(contentHashOf(row)))
        return { result: { status: 'conflict', kind: identity.kind }, free: [] }
      else holder ??= row
    }
    return {
      result: holder === undefined ? undefined : { status: 'joined', submission: toSubmission(holder) },
      free
    }
  }

  function insert({ submissionId, typeUrl, message }: IntakeRequest): IntakeResult {
    const at = now()
    const hash = contentHash(typeUrl, message)
    sql.insertSubmission.run({ submissionId, hash, typeUrl, message: Buffer.from(message), now: at })
    return { status: 'created', submission: { ...baseOf(submissionId, at), status: 'queued' } }
  }

  function takeOne(request: IntakeRequest): IntakeResult {
    const { result: joined, free } = examine(request)
    const result = joined ?? insert(request)
    if (result.status === 'conflict') return result
    const { submissionId } = result.submission
    for (const identity of free) sql.holdIdentity.run({ key: identityKey(identity), submissionId })
    return result
  }

  function insertVariant(variant: Variant): void {
    const { hash, sequence, bytes, gasLimit, feeAmount, submissionIds } = variant
    sql.insertVariant.run({
      hash,
      sequence,
      bytes: Buffer.from(bytes),
      gasLimit,
      feeAmount: String(feeAmount),
      submissionIds: JSON.stringify(submissionIds)
    })
    sql.setTransactionHash.run({ sequence, hash, submissionIds: JSON.stringify(submissionIds), now: now() })
  }

  function openSlot(variant: Variant): void {
    const { sequence } = variant
    expectOne(sql.advanceSequence.run({ sequence }), `sequence ${sequence} is not the next one`)
    sql.insertSlot.run({ sequence })
    for (const submissionId of variant.submissionIds) {
      expectOne(
        sql.assignSubmission.run({ sequence, submissionId, now: now() }),
        `${submissionId} is not queued`
      )
    }
    insertVariant(variant)
  }

  function rejectQueued(submissionId: string, error: Refusal): Submission {
    const rejected = sql.rejectQueued.run({ submissionId, error: JSON.stringify(error), now: now() })
    expectOne(rejected, `${submissionId} is not queued`)
    return existing(submissionId)
  }

  function writeOutcome(outcome: SubmissionOutcome, place: Place): { changes: number } {
    const { submissionId } = outcome
    const at = now()
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

  /** @returns the ids of the submissions that it settled */
  function applyBlock({ height, hash, resolutions }: BlockOutcome): string[] {
    expectOne(sql.advanceCursor.run({ height, hash }), `block ${height} does not follow the cursor`)
    const settled: string[] = []
    for (const { sequence, transactionHash, origin, outcomes } of resolutions) {
      if (origin === 'foreign' && sql.findVariant.get({ hash: transactionHash }) !== undefined) {
        throw new StoreConflictError(`transaction ${transactionHash} is not foreign`)
      }
      sql.resolveSlot.run({ sequence, transactionHash, origin, height })
      sql.raiseNextSequence.run({ sequence })
      sql.deleteVariants.run({ sequence })
      for (const outcome of outcomes) {
        const { submissionId, status } = outcome
        const written = writeOutcome(outcome, { sequence, transactionHash, height })
        expectOne(written, `${submissionId} is not in slot ${sequence}`)
        if (status !== 'queued') settled.push(submissionId)
      }
      if (sql.findLeftInSlot.get({ sequence }) !== undefined) {
        throw new StoreConflictError(`slot ${sequence} is resolved, but a submission in it is not`)
      }
    }
    return settled
  }

  /** Runs `work` as one database transaction; its errors become rejections. */
  async function atomically<T>(work: () => T): Promise<T> {
    return connection.transaction(work).immediate()
  }

  return {
    take: requests => atomically(() => requests.map(takeOne)),
    join: async request => examine(request).result,
    find: async submissionId => submission(submissionId),
    countUnsettled: async () => toCount(sql.countUnsettled.get({})),
    oldestUnsettled: async () => toTime(sql.oldestUnsettled.get({})),
    async signer() {
      const row = sql.signer.get({})
      return row === undefined ? undefined : toSignerState(row)
    },
    putSigner: state =>
      atomically(() => {
        const { accountNumber, probePassed, ...rest } = state
        sql.putSigner.run({
          ...rest,
          accountNumber: String(accountNumber),
          probePassed: Number(probePassed)
        })
      }),
    setProbePassed: () => atomically(() => void sql.setProbePassed.run({})),
    queued: async limit => sql.queued.all({ limit }).map(toQueuedMessage),
    openVariants: async () => sql.openVariants.all({}).map(toVariant),
    openSlot: variant => atomically(() => openSlot(variant)),
    addVariant: variant => atomically(() => insertVariant(variant)),
    reject: (submissionId, error) => atomically(() => rejectQueued(submissionId, error)),
    applyBlocks: blocks => atomically(() => blocks.flatMap(applyBlock).map(existing)),
    forget: (before, limit) =>
      atomically(() => {
        const submissions = sql.forgetSubmissions.run({ before, limit })
        const slots = sql.forgetSlots.run({ limit })
        return submissions.changes + slots.changes
      }),
    close: async () => close()
  }
}
