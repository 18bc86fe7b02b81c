import { identityKey } from '../../../services/submission/identities.ts'
import { withPlaceLeft } from '../../../services/submission/left-place.ts'
import { planAdoption } from '../../../services/submission/store/adoption.ts'
import { StoreConflictError } from '../../../services/submission/store/errors.ts'
import { settlingTime } from '../../../services/submission/store/settling-time.ts'
import type {
  BlockOutcome,
  Execution,
  Failure,
  SignerState,
  SlotResolution,
  SubmissionOutcome,
  WalletRequest
} from '../../../services/submission/store/types.ts'
import { utcDay } from '../../../services/submission/store/utc-day.ts'
import type { Submission } from '../../../services/submission/types.ts'
import type { Disk, StoredSubmission } from './disk.ts'
import { isSameContent } from './intake-writer.ts'

/** The slot and the transaction and block that resolved it. */
type Place = { transactionHash: string; height: number }

/** Applies blocks: results, requeued submissions, next sequence and cursor in one step. */
export function createBlockWriter(disk: Disk, timestamp: () => string) {
  function boundTo(sequence: number): string[] {
    const bound = []
    for (const [submissionId, stored] of disk.submissions) {
      if (stored.submission.status === 'broadcast' && stored.sequence === sequence) bound.push(submissionId)
    }
    return bound
  }

  function isOurs(transactionHash: string): boolean {
    for (const { variants } of disk.slots.values()) {
      if (variants.some(({ hash }) => hash === transactionHash)) return true
    }
    return false
  }

  /** Checks every condition for applying a resolution. */
  function examine({ sequence, transactionHash, origin, outcomes }: SlotResolution): void {
    if (origin === 'foreign' && isOurs(transactionHash)) {
      throw new StoreConflictError(`transaction ${transactionHash} is not foreign`)
    }
    const left = new Set(boundTo(sequence))
    for (const { submissionId } of outcomes) {
      if (!left.delete(submissionId)) {
        throw new StoreConflictError(`${submissionId} is not in slot ${sequence}`)
      }
    }
    if (left.size > 0) {
      throw new StoreConflictError(`slot ${sequence} is resolved, but not every submission in it`)
    }
  }

  function addFailure(stored: StoredSubmission, { refusal, alone, batchLimit }: Failure): void {
    stored.attempts += 1
    stored.loneFailures += Number(alone)
    stored.batchLimit = batchLimit
    stored.suspicion = refusal
  }

  function write(stored: StoredSubmission, outcome: SubmissionOutcome, place: Place): Submission {
    const { submissionId, createdAt } = stored.submission
    const base = { submissionId, createdAt, updatedAt: timestamp() }
    const { transactionHash, height } = place
    switch (outcome.status) {
      case 'queued':
        stored.sequence = undefined
        if (outcome.failure) addFailure(stored, outcome.failure)
        return { ...base, status: 'queued' }
      case 'committed': {
        const { txId, gasUsed, gasWanted, events } = outcome
        const result = { transactionHash, height, gasUsed, gasWanted, events }
        return { ...base, status: 'committed', ...(txId !== undefined && { txId }), ...result }
      }
      case 'rejected':
        return { ...base, status: 'rejected', error: outcome.error, transactionHash, height }
    }
  }

  function addFee(sequence: number, transactionHash: string, time: number): void {
    const variant = disk.slots.get(sequence)?.variants.find(({ hash }) => hash === transactionHash)
    const day = utcDay(time)
    disk.fees.set(day, (disk.fees.get(day) ?? 0n) + (variant?.feeAmount ?? 0n))
  }

  function applyOne(signer: SignerState, { height, hash, time, resolutions }: BlockOutcome): Submission[] {
    const settled: Submission[] = []
    for (const { sequence, transactionHash, origin, outcomes } of resolutions) {
      addFee(sequence, transactionHash, time)
      disk.slots.set(sequence, { variants: [], resolution: { transactionHash, origin, height } })
      for (const outcome of outcomes) {
        const stored = disk.submissions.get(outcome.submissionId)
        if (!stored) continue
        stored.submission = write(stored, outcome, { transactionHash, height })
        if (outcome.status !== 'queued') settled.push(stored.submission)
      }
    }
    const passed = resolutions.map(({ sequence }) => sequence + 1)
    const nextSequence = Math.max(signer.nextSequence, ...passed)
    disk.signer = { ...signer, nextSequence, cursorHeight: height, cursorHash: hash }
    disk.cursorTime = time
    return settled
  }

  function settle(execution: Execution, request: WalletRequest): Submission[] {
    const stored = disk.submissions.get(execution.submissionId)
    if (!stored) return []
    stored.submission = write(stored, execution, request)
    stored.sequence = undefined
    for (const slot of disk.slots.values()) {
      slot.variants = slot.variants.map(variant => ({
        ...variant,
        submissionIds: withPlaceLeft(variant.submissionIds, execution.submissionId)
      }))
    }
    return [stored.submission]
  }

  function adoptOne(request: WalletRequest): Submission[] {
    const { execution, identities, typeUrl, message } = request
    const { settled, keys } = planAdoption(request, identity => {
      const holder = disk.submissions.get(disk.identities.get(identityKey(identity)) ?? '')
      if (!holder || holder.submission.status === 'rejected') return undefined
      return { ...holder.submission, isSame: isSameContent(holder.request, request) }
    })
    const changed = settled.flatMap(one => settle(one, request))
    if (keys.length > 0) {
      const { submissionId } = execution
      const at = timestamp()
      disk.submissions.set(submissionId, {
        request: { identities, typeUrl, message },
        submission: { submissionId, status: 'queued', createdAt: at, updatedAt: at },
        attempts: 0,
        loneFailures: 0,
        batchLimit: undefined,
        suspicion: undefined,
        sequence: undefined
      })
      for (const key of keys) disk.identities.set(key, submissionId)
      settle(execution, request)
    }
    return changed
  }

  const adopt = (requests: readonly WalletRequest[]) => requests.flatMap(adoptOne)

  return {
    adopt,
    apply(blocks: readonly BlockOutcome[]): Submission[] {
      for (const [index, { height, resolutions }] of blocks.entries()) {
        if (disk.signer?.cursorHeight !== height - 1 - index) {
          throw new StoreConflictError(`block ${height} does not follow the cursor`)
        }
        for (const resolution of resolutions) examine(resolution)
      }
      const changed = blocks.flatMap(block => [
        ...(disk.signer ? applyOne(disk.signer, block) : []),
        ...adopt(block.adoptions ?? [])
      ])
      const at = settlingTime(blocks, Date.parse(timestamp()))
      for (const stored of disk.submissions.values()) {
        const { status } = stored.submission
        if (status === 'committed' || status === 'rejected') stored.settledAt ??= at
      }
      return changed
    }
  }
}
