import type { Clock } from '../../clock.ts'

/** How long a submission is set aside: the first time, and at most. */
const FIRST_MS = 250
const LONGEST_MS = 600_000

/**
 * Submissions that no node can price for now, or whose transactions a node refuses. They stay queued, and the others go
 * on without them.
 */
export interface SetAside {
  /** How many there are at most; the queue is read that much further. */
  readonly size: number
  /** Sets a submission aside, each time for twice as long. @returns how many times it was */
  add(submissionId: string): number
  has(submissionId: string): boolean
  /** Forgets settled submissions. */
  remove(submissionIds: readonly string[]): void
  /** Milliseconds until the first one is due again; undefined when there is none. */
  nextDueMs(): number | undefined
}

export function createSetAside(clock: Clock): SetAside {
  const entries = new Map<string, { until: number; pauseMs: number; times: number }>()
  return {
    get size() {
      return entries.size
    },
    add(submissionId) {
      const before = entries.get(submissionId)
      const pauseMs = before ? Math.min(2 * before.pauseMs, LONGEST_MS) : FIRST_MS
      const times = (before?.times ?? 0) + 1
      entries.set(submissionId, { until: clock.elapsed() + pauseMs, pauseMs, times })
      return times
    },
    has: submissionId => (entries.get(submissionId)?.until ?? Number.NEGATIVE_INFINITY) > clock.elapsed(),
    remove(submissionIds) {
      for (const submissionId of submissionIds) entries.delete(submissionId)
    },
    nextDueMs() {
      const waits = [...entries.values()].map(({ until }) => until - clock.elapsed()).filter(ms => ms > 0)
      return waits.length > 0 ? Math.min(...waits) : undefined
    }
  }
}
