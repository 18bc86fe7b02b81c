import { identityKey } from '../../identities.ts'
import type { Identity, Submission, SubmissionRequest } from '../../types.ts'
import { contentHash } from '../content-hash.ts'
import { announcing, createNewsDesk } from '../news.ts'
import {
  baseOf,
  contentHashOf,
  statusOf,
  toCount,
  toSignerState,
  toSubmission,
  toTime
} from '../rows/index.ts'
import type { IntakeRequest, IntakeResult, JoinResult, SubmissionStore } from '../types.ts'
import { atomically, openDatabase } from './database.ts'
import { createEngineStore } from './engine-store.ts'
import { prepareStatements } from './statements.ts'
import { createTerms } from './terms.ts'

/**
 * The embedded store: one SQLite file in `directory`, owned by this process.
 * @throws DataDirectoryError
 */
export function createSqliteStore(directory: string, now: () => number = Date.now): SubmissionStore {
  const { connection, close } = openDatabase(directory)
  const sql = prepareStatements(connection)
  const { onNews, announce } = createNewsDesk()

  function submission(submissionId: string): Submission | undefined {
    const row = sql.findSubmission.get({ submissionId })
    return row === undefined ? undefined : toSubmission(row)
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
    const earlier = submission(request.submissionId)
    if (earlier) return { status: 'created', submission: earlier }
    const { result: joined, free } = examine(request)
    const result = joined ?? insert(request)
    if (result.status === 'conflict') return result
    const { submissionId } = result.submission
    for (const identity of free) sql.holdIdentity.run({ key: identityKey(identity), submissionId })
    return result
  }

  async function take(requests: readonly IntakeRequest[]): Promise<IntakeResult[]> {
    const results = await atomically(connection, () => requests.map(takeOne))
    if (results.some(({ status }) => status === 'created')) announce({ kind: 'queued' })
    return results
  }

  return {
    take,
    join: async request => examine(request).result,
    find: async submissionId => submission(submissionId),
    findSettled: async submissionIds =>
      sql.findSettled.all({ submissionIds: JSON.stringify(submissionIds) }).map(toSubmission),
    countUnsettled: async () => toCount(sql.countUnsettled.get({})),
    oldestUnsettled: async () => toTime(sql.oldestUnsettled.get({})),
    async signer() {
      const row = sql.signer.get({})
      return row === undefined ? undefined : toSignerState(row)
    },
    forget: (before, limit) =>
      atomically(connection, () => {
        const submissions = sql.forgetSubmissions.run({ before, limit })
        const slots = sql.forgetSlots.run({ limit })
        return submissions.changes + slots.changes
      }),
    onNews,
    lead: createTerms(announcing(createEngineStore(connection, now), announce)),
    close: async () => close()
  }
}
