import type { SubmissionStore } from '../../../services/submission/store/types.ts'
import { utcDay } from '../../../services/submission/store/utc-day.ts'
import { announcing } from './announcing.ts'
import { createDisk, type Disk } from './disk.ts'
import { createEngineStore } from './engine-store.ts'
import { forget } from './forget.ts'
import { createIntakeWriter } from './intake-writer.ts'
import { createTerms } from './terms.ts'

/**
 * A store in memory, for tests that need thousands of stores; it follows the same rules as the real one. Each method
 * checks everything before it writes, so that a throw changes nothing.
 * @param disk the tables of an earlier store
 * @param now milliseconds since the epoch
 */
export function createMemoryStore(disk: Disk = createDisk(), now: () => number = Date.now): SubmissionStore {
  const intake = createIntakeWriter(disk, () => new Date(now()).toISOString())
  const { news } = disk
  const terms = createTerms(disk, announcing(createEngineStore(disk, now), news.announce))

  return {
    async take(requests) {
      const results = requests.map(intake.take)
      if (results.some(({ status }) => status === 'created')) news.announce({ kind: 'queued' })
      return results
    },
    join: async request => intake.join(request),
    find: async submissionId => disk.submissions.get(submissionId)?.submission,
    async countUnsettled() {
      let count = 0
      for (const { submission } of disk.submissions.values()) {
        if (submission.status === 'queued' || submission.status === 'broadcast') count += 1
      }
      return count
    },
    async oldestUnsettled() {
      const times: number[] = []
      for (const { submission } of disk.submissions.values()) {
        const { status, createdAt } = submission
        if (status === 'queued' || status === 'broadcast') times.push(Date.parse(createdAt))
      }
      return times.length > 0 ? Math.min(...times) : undefined
    },
    feesPaidToday: async () => disk.fees.get(utcDay(disk.cursorTime ?? 0)) ?? 0n,
    signer: async () => disk.signer,
    report: async () => disk.report && { ...disk.report.newest, ageMs: now() - disk.report.at },
    async findSettled(submissionIds) {
      const found = submissionIds.flatMap(
        submissionId => disk.submissions.get(submissionId)?.submission ?? []
      )
      return found.filter(({ status }) => status === 'committed' || status === 'rejected')
    },
    now,
    forget: async (keepMs, limit) => forget(disk, { now: now(), keepMs, limit }),
    onNews: news.onNews,
    lead: terms.lead,
    close: terms.close
  }
}
