import { StoreConflictError, type SubmissionStore } from '../../../services/submission/store/types.ts'
import { createBlockWriter } from './block-writer.ts'
import { createDisk, type Disk } from './disk.ts'
import { forget } from './forget.ts'
import { createIntakeWriter } from './intake-writer.ts'
import { createSlotWriter } from './slot-writer.ts'

/**
 * A store in memory, for tests that need thousands of stores; it follows the same rules as the real one. Each method
 * checks everything before it writes, so that a throw changes nothing.
 * @param disk the tables of an earlier store
 * @param now milliseconds since the epoch
 */
export function createMemoryStore(disk: Disk = createDisk(), now: () => number = Date.now): SubmissionStore {
  const timestamp = () => new Date(now()).toISOString()
  const intake = createIntakeWriter(disk, timestamp)
  const slots = createSlotWriter(disk, timestamp)
  const blocks = createBlockWriter(disk, timestamp)

  return {
    take: async requests => requests.map(intake.take),
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
    signer: async () => disk.signer,
    async putSigner(state) {
      if (disk.signer) throw new StoreConflictError('there is a signer already')
      disk.signer = state
    },
    async setProbePassed() {
      if (disk.signer) disk.signer = { ...disk.signer, probePassed: true }
    },
    async queued(limit) {
      const queued = []
      for (const { request, submission, ...stored } of disk.submissions.values()) {
        if (submission.status !== 'queued') continue
        if (queued.length === limit) break
        const { typeUrl, message } = request
        const { attempts, loneFailures, batchLimit, suspicion } = stored
        const failures = { attempts, loneFailures, batchLimit, suspicion }
        queued.push({ submissionId: submission.submissionId, typeUrl, message, ...failures })
      }
      return queued
    },
    async openVariants() {
      const open = [...disk.slots].filter(([, { resolution }]) => !resolution).sort(([a], [b]) => a - b)
      return open.flatMap(([, { variants }]) => variants)
    },
    openSlot: async variant => slots.open(variant),
    addVariant: async variant => slots.addVariant(variant),
    reject: async (submissionId, error) => intake.reject(submissionId, error),
    applyBlocks: async outcomes => blocks.apply(outcomes),
    forget: async (before, limit) => forget(disk, before, limit),
    async close() {}
  }
}
