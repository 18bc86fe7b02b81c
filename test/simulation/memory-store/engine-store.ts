import type { EngineStore } from '../../../services/submission/store/engine-store.ts'
import { StoreConflictError } from '../../../services/submission/store/errors.ts'
import { createBlockWriter } from './block-writer.ts'
import type { Disk } from './disk.ts'
import { createIntakeWriter } from './intake-writer.ts'
import { createSlotWriter } from './slot-writer.ts'

/** The leader's part of a store in memory, without a check of the term. */
export function createEngineStore(disk: Disk, now: () => number = Date.now): EngineStore {
  const timestamp = () => new Date(now()).toISOString()
  const { reject } = createIntakeWriter(disk, timestamp)
  const slots = createSlotWriter(disk, timestamp)
  const blocks = createBlockWriter(disk, timestamp)

  return {
    async putSigner(state) {
      if (disk.signer) throw new StoreConflictError('there is a signer already')
      disk.signer = state
    },
    async correctSequence(from, to) {
      const isOpen = [...disk.slots.values()].some(({ resolution }) => !resolution)
      if (disk.signer?.nextSequence !== from || isOpen)
        throw new StoreConflictError(`${from} is not the next sequence`)
      disk.signer = { ...disk.signer, nextSequence: to }
    },
    async setProbePassed() {
      if (disk.signer) disk.signer = { ...disk.signer, probePassed: true }
    },
    async excuseFailures() {
      for (const stored of disk.submissions.values()) stored.loneFailures = 0
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
    reject: async (submissionId, error) => reject(submissionId, error),
    applyBlocks: async outcomes => blocks.apply(outcomes),
    adopt: async requests => blocks.adopt(requests),
    async putReport(newest) {
      disk.report = { newest, at: now() }
    }
  }
}
