import type { Clock } from '../../clock.ts'
import {
  afterBackoff,
  afterFailure,
  afterSplit,
  type Evidence,
  type Failure,
  NO_EVIDENCE,
  withoutSuspicion
} from '../decide/verdict.ts'

export type EvidenceTable = ReturnType<typeof createEvidence>

/** Creates the table of the evidence about messages from the attempts of this term. */
export function createEvidence(clock: Clock) {
  const evidence = new Map<string, Evidence>()

  function change(submissionIds: readonly string[], next: (evidence: Evidence) => Evidence): void {
    for (const id of submissionIds) evidence.set(id, next(evidence.get(id) ?? NO_EVIDENCE))
  }

  return {
    of: (submissionId: string): Evidence => evidence.get(submissionId) ?? NO_EVIDENCE,
    /** The messages in a backoff, and when the first of them may be tried again. */
    get postponed(): { ids: string[]; until: number } {
      const now = clock.elapsed()
      const waiting = [...evidence].filter(([, { until }]) => until > now)
      return {
        ids: waiting.map(([submissionId]) => submissionId),
        until: waiting.reduce((first, [, { until }]) => Math.min(first, until), Number.POSITIVE_INFINITY)
      }
    },
    failed: (failure: Failure) =>
      change(failure.suspects, one => afterFailure(one, failure, clock.elapsed())),
    split: (ids: readonly string[]) => change(ids, one => afterSplit(one, ids.length)),
    backOff: (submissionId: string) => change([submissionId], one => afterBackoff(one, clock.elapsed())),
    /** Clears the evidence after another cause was found. Backoffs in progress continue. */
    clear: (ids: readonly string[]) =>
      change(
        ids.filter(id => evidence.has(id)),
        withoutSuspicion
      ),
    forget(submissionIds: readonly string[]): void {
      for (const submissionId of submissionIds) evidence.delete(submissionId)
    },
    forgetAll: () => evidence.clear()
  }
}
