import type { Clock } from '../../clock.ts'
import type { Failure } from '../decide/block.ts'
import {
  afterBackoff,
  afterFailure,
  afterSplit,
  cleared,
  type Evidence,
  NO_EVIDENCE
} from '../decide/verdict.ts'

/** The evidence about messages in this term, by submission. */
export interface EvidenceTable {
  of(submissionId: string): Evidence | undefined
  /** How many additional messages the packer reads from the queue. */
  readonly backingOff: number
  failed(failure: Failure): void
  split(submissionIds: readonly string[]): void
  backOff(submissionId: string): void
  /** Clears the evidence after another cause was found. Backoffs in progress continue. */
  clear(submissionIds: readonly string[]): void
  forget(submissionIds: readonly string[]): void
  forgetAll(): void
}

export function createEvidence(clock: Clock): EvidenceTable {
  const evidence = new Map<string, Evidence>()

  function change(submissionIds: readonly string[], next: (evidence: Evidence) => Evidence): void {
    for (const id of submissionIds) evidence.set(id, next(evidence.get(id) ?? NO_EVIDENCE))
  }

  return {
    of: submissionId => evidence.get(submissionId),
    get backingOff() {
      const now = clock.elapsed()
      return [...evidence.values()].filter(({ until }) => until > now).length
    },
    failed: failure => change(failure.suspects, one => afterFailure(one, failure, clock.elapsed())),
    split: ids => change(ids, one => afterSplit(one, ids.length)),
    backOff: submissionId => change([submissionId], one => afterBackoff(one, clock.elapsed())),
    clear: ids =>
      change(
        ids.filter(id => evidence.has(id)),
        cleared
      ),
    forget(submissionIds) {
      for (const submissionId of submissionIds) evidence.delete(submissionId)
    },
    forgetAll: () => evidence.clear()
  }
}
