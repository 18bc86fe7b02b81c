import { identityKey } from '../../identities.ts'
import type { Submission } from '../../types.ts'
import { contentHash } from '../content-hash.ts'
import { examine } from '../examine.ts'
import { announcing, createNewsDesk } from '../news.ts'
import type { Outbox } from '../outbox.ts'
import { createReportDesk } from '../reports.ts'
import { baseOf, toAmount, toCount, toSignerState, toSubmission, toTime } from '../rows/index.ts'
import { readEach } from '../rows/read-each.ts'
import type { IntakeRequest, IntakeResult, SubmissionStore } from '../types.ts'
import { assertInPlace, atomically, openDatabase } from './database.ts'
import { createEngineStore } from './engine-store.ts'
import type { createSqliteOutbox } from './outbox.ts'
import { prepareStatements } from './statements.ts'
import { createTerms } from './terms.ts'

/**
 * The embedded store: one SQLite file in `directory`, owned by this process.
 * @param createOutbox makes what settles a submission write its event
 * @throws DataDirectoryError
 */
export function createSqliteStore(
  directory: string,
  now: () => number = Date.now,
  createOutbox?: typeof createSqliteOutbox
): SubmissionStore & { outbox?: Outbox } {
  const { connection, close } = openDatabase(directory)
  const outbox = createOutbox?.({ connection, now })
  const sql = prepareStatements(connection)
  const { onNews, announce } = createNewsDesk()
  const reports = createReportDesk(now)

  function submission(submissionId: string): Submission | undefined {
    const row = sql.findSubmission.get({ submissionId })
    return row === undefined ? undefined : toSubmission(row)
  }

  const rowOf = (key: string) => sql.findHolder.get({ key })

  function insert({ submissionId, typeUrl, message }: IntakeRequest): IntakeResult {
    const at = now()
    const hash = contentHash(typeUrl, message)
    sql.insertSubmission.run({ submissionId, hash, typeUrl, message: Buffer.from(message), now: at })
    return { status: 'created', submission: { ...baseOf(submissionId, at), status: 'queued' } }
  }

  function takeOne(request: IntakeRequest): IntakeResult {
    const { result: joined, free } = examine(request, rowOf)
    const result = joined ?? insert(request)
    if (!('submission' in result)) return result
    const { submissionId } = result.submission
    for (const identity of free) sql.holdIdentity.run({ key: identityKey(identity), submissionId })
    return result
  }

  function takeAll(requests: readonly IntakeRequest[]): IntakeResult[] {
    const submissionIds = JSON.stringify(requests.map(({ submissionId }) => submissionId))
    const earlier = sql.findSubmissions.all({ submissionIds }).map(toSubmission)
    const repeated = new Map(earlier.map(found => [found.submissionId, found]))
    return requests.map(request => {
      const submission = repeated.get(request.submissionId)
      return submission ? { status: 'created', submission } : takeOne(request)
    })
  }

  async function take(requests: readonly IntakeRequest[]): Promise<IntakeResult[]> {
    const results = await atomically(connection, () => takeAll(requests))
    if (results.some(({ status }) => status === 'created')) announce({ kind: 'queued' })
    return results
  }

  return {
    ...(outbox && { outbox }),
    take,
    join: async request => examine(request, rowOf).result,
    find: async submissionId => submission(submissionId),
    findSettled: async submissionIds =>
      readEach(sql.findSettled.all({ submissionIds: JSON.stringify(submissionIds) }), toSubmission),
    countUnsettled: async () => toCount(sql.countUnsettled.get({})),
    async oldestUnsettled() {
      assertInPlace(connection)
      return toTime(sql.oldestUnsettled.get({}))
    },
    feesPaidToday: async () => toAmount(sql.feesPaid.get({})),
    async signer() {
      const row = sql.signer.get({})
      return row === undefined ? undefined : toSignerState(row)
    },
    report: reports.report,
    now,
    forget: (keepMs, limit) =>
      atomically(connection, () => {
        const old = { now: now(), keepMs, limit }
        sql.forgetEvents.run(old)
        return sql.forgetSubmissions.run(old).changes + sql.forgetSlots.run({ limit }).changes
      }),
    onNews,
    lead: createTerms(announcing(createEngineStore(connection, now, reports, outbox), announce)),
    close: async () => close()
  }
}
