import type { Context } from '@opentelemetry/api'
import type { Logger } from '../../logger.ts'
import { traceFields } from '../../tracing/index.ts'
import type { Identity, Submission } from '../types.ts'

/** As many as can wait (interface 6.28). */
const MOST_KNOWN = 50_000

/** What the store does not return with a submission. */
interface Origin {
  feeId: string | undefined
  trace: Context
}

/** What joins the lines of a submission with those of the request that submitted it, as far as it is known. */
export interface RequestIds {
  reqId: string | undefined
  trace: Context
}

/** The lines about single submissions (interface 14.17): one when it is accepted and one when it is settled. */
export interface SubmissionLog {
  accepted(
    submission: { submissionId: string; outcome: 'created' | 'joined' },
    identities: readonly Identity[],
    request: RequestIds
  ): void
  settled(submission: Submission): void
  /** The trace in which a submission was accepted, as far as it is known. */
  traceOf(submissionId: string): Context | undefined
  /** Another process has settled these, and has the lines about it. */
  forget(submissionIds: readonly string[]): void
}

export const feeIdOf = (identities: readonly Identity[]): string | undefined =>
  identities.find(({ kind }) => kind === 'fee')?.value

export function createSubmissionLog(log: Logger): SubmissionLog {
  /** Of unsettled submissions that this process has accepted since its start, oldest first. */
  const origins = new Map<string, Origin>()

  function remember(submissionId: string, origin: Origin): void {
    origins.set(submissionId, origin)
    if (origins.size <= MOST_KNOWN) return
    const [oldest = ''] = origins.keys()
    origins.delete(oldest)
  }

  return {
    accepted({ submissionId, outcome }, identities, { reqId, trace }) {
      const feeId = feeIdOf(identities)
      if (outcome === 'created') remember(submissionId, { feeId, trace })
      log.info({ reqId, submissionId, feeId, outcome, ...traceFields(trace) }, 'submission accepted')
    },
    settled(submission) {
      const { submissionId } = submission
      const { feeId, trace } = origins.get(submissionId) ?? {}
      origins.delete(submissionId)
      const ids = { submissionId, feeId, ...(trace && traceFields(trace)) }
      if (submission.status === 'committed') {
        const { txId, transactionHash: hash, height } = submission
        log.info({ ...ids, txId, hash, height }, 'submission committed')
      } else if (submission.status === 'rejected') {
        const { transactionHash: hash, height, error } = submission
        const { code, codespace, message: reason } = error
        log.info({ ...ids, hash, height, code, codespace, reason }, 'submission rejected')
      }
    },
    traceOf: submissionId => origins.get(submissionId)?.trace,
    forget(submissionIds) {
      for (const submissionId of submissionIds) origins.delete(submissionId)
    }
  }
}
