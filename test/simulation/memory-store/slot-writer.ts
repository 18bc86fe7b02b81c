import { StoreConflictError } from '../../../services/submission/store/errors.ts'
import type { Variant } from '../../../services/submission/store/types.ts'
import type { Disk, StoredSlot, StoredSubmission } from './disk.ts'

/** Opens slots and adds variants to them. */
export function createSlotWriter(disk: Disk, timestamp: () => string) {
  function queued(submissionId: string): StoredSubmission {
    const stored = disk.submissions.get(submissionId)
    if (stored?.submission.status !== 'queued') throw new StoreConflictError(`${submissionId} is not queued`)
    return stored
  }

  function assertNewHash({ hash }: Variant): void {
    for (const { variants } of disk.slots.values()) {
      if (variants.some(variant => variant.hash === hash)) {
        throw new StoreConflictError(`there is a variant ${hash} already`)
      }
    }
  }

  /** Adds the variant to the slot and sets its hash on those of its submissions that are bound to the slot. */
  function add(slot: StoredSlot, variant: Variant): void {
    slot.variants.push(variant)
    for (const submissionId of variant.submissionIds) {
      const stored = disk.submissions.get(submissionId)
      if (stored?.submission.status !== 'broadcast' || stored.sequence !== variant.sequence) continue
      const { createdAt } = stored.submission
      const transactionHash = variant.hash
      const updatedAt = timestamp()
      stored.submission = { submissionId, createdAt, updatedAt, status: 'broadcast', transactionHash }
    }
  }

  return {
    open(variant: Variant): void {
      const { sequence, hash, submissionIds } = variant
      if (disk.signer?.nextSequence !== sequence || disk.slots.has(sequence)) {
        throw new StoreConflictError(`sequence ${sequence} is not the next one`)
      }
      if (new Set(submissionIds).size < submissionIds.length) {
        throw new StoreConflictError('a submission is named twice')
      }
      assertNewHash(variant)
      const bound = submissionIds.map(queued)
      disk.signer = { ...disk.signer, nextSequence: sequence + 1 }
      const slot: StoredSlot = { variants: [], resolution: undefined }
      disk.slots.set(sequence, slot)
      for (const stored of bound) {
        stored.sequence = sequence
        stored.submission = { ...stored.submission, status: 'broadcast', transactionHash: hash }
      }
      add(slot, variant)
    },

    addVariant(variant: Variant): void {
      const slot = disk.slots.get(variant.sequence)
      if (!slot || slot.resolution) throw new StoreConflictError(`slot ${variant.sequence} is not open`)
      assertNewHash(variant)
      add(slot, variant)
    }
  }
}
