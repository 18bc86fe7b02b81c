import type { EngineStore } from './engine-writes.ts'
import type { LeaderReport, SubmissionStore } from './types.ts'

/** The leader's newest report, for a store that one process has alone. */
export function createReportDesk(
  now: () => number
): Pick<EngineStore, 'putReport'> & Pick<SubmissionStore, 'report'> {
  let newest: { report: LeaderReport; at: number } | undefined
  return {
    async putReport(report) {
      newest = { report, at: now() }
    },
    report: async () => newest && { ...newest.report, ageMs: now() - newest.at }
  }
}
