import type { Context } from '@opentelemetry/api'
import type { Logger } from '../../logger.ts'
import { traceFields } from '../../tracing/index.ts'
import type { Identity, Submission } from '../contract.ts'

/** The size of the backlog (interface 6.28). */
const MOST_KNOWN = 50_000

export interface RequestIds {
  reqId: string | undefined
  trace: Context
}

export const feeIdOf = (identities: readonly Identity[]): string | undefined =>
  identities.find(({ kind }) => kind === 'fee')?.value

export type SubmissionLog = ReturnType<typeof createSubmissionLog>

/** Logs when a submission is accepted and when it is settled. */
export function createSubmissionLog(log: Logger) {
  /** Unsettled submissions that this process has accepted, oldest first. */
  const origins = new Map<string, { feeId: string | undefined; trace: Context }>()

  return {
    accepted(
      { submissionId, outcome }: { submissionId: string; outcome: 'created' | 'joined' },
      identities: readonly Identity[],
      { reqId, trace }: RequestIds
    ): void {
      const feeId = feeIdOf(identities)
      if (outcome === 'created') {
        origins.set(submissionId, { feeId, trace })
        const [oldest = ''] = origins.keys()
        if (origins.size > MOST_KNOWN) origins.delete(oldest)
      }
      log.info({ reqId, submissionId, feeId, outcome, ...traceFields(trace) }, 'submission accepted')
    },
    settled(submission: Submission): void {
      const { submissionId, status } = submission
      const { feeId, trace } = origins.get(submissionId) ?? {}
      origins.delete(submissionId)
      const ids = { submissionId, feeId, ...(trace && traceFields(trace)) }
      if (status === 'committed') {
        const { txId, transactionHash: hash, height } = submission
        log.info({ ...ids, txId, hash, height }, 'submission committed')
      } else if (status === 'rejected') {
        const { transactionHash: hash, height, error } = submission
        const { code, codespace, message: reason } = error
        log.info({ ...ids, hash, height, code, codespace, reason }, 'submission rejected')
      }
    },
    traceOf: (submissionId: string) => origins.get(submissionId)?.trace,
    /** Forgets submissions that another process has settled and logged. */
    forget(submissionIds: readonly string[]): void {
      for (const submissionId of submissionIds) origins.delete(submissionId)
    }
  }
}
