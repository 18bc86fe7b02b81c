import type { Disk } from './disk.ts'

/** Deletes settled submissions and the slots that they no longer need, as `SubmissionStore.forget` describes. */
export function forget(
  { submissions, identities, slots, signer, cursorTime }: Disk,
  { now, keepMs, limit }: { now: number; keepMs: number; limit: number }
): number {
  const before = cursorTime === undefined ? undefined : Math.min(cursorTime, now) - keepMs
  const old = [...submissions.values()].filter(
    ({ settledAt }) => settledAt !== undefined && before !== undefined && settledAt < before
  )
  const forgotten = old.slice(0, limit)
  for (const { submission } of forgotten) {
    submissions.delete(submission.submissionId)
    // The identities of a refused submission may belong to a newer one, and those of a retry to this one.
    for (const [key, holder] of identities) if (holder === submission.submissionId) identities.delete(key)
  }
  const needed = [...submissions.values()].flatMap(({ sequence }) => sequence ?? [])
  const oldest = Math.min(signer?.nextSequence ?? 0, ...needed)
  const passed = [...slots].filter(([sequence, { resolution }]) => resolution && sequence < oldest)
  const deleted = passed.slice(0, limit)
  for (const [sequence] of deleted) slots.delete(sequence)
  return forgotten.length + deleted.length
}
