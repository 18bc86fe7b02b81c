import type { Span } from '@opentelemetry/api'
import type { Logger } from '../../logger.ts'
import { endSpan, startSpan, traceFields } from '../../tracing/index.ts'
import type { IntakeResult, Submission } from '../contract.ts'

/** The size of the backlog (interface 6.28). */
const MAX_KNOWN = 50_000

export type SubmissionLog = ReturnType<typeof createSubmissionLog>

/** Logs and traces a submission from its acceptance until it is settled. */
export function createSubmissionLog(log: Logger) {
  /** Unsettled submissions that this process has accepted, oldest first. */
  const origins = new Map<string, { feeId: string | undefined; span: Span }>()

  return {
    accepted(
      { submissionId }: Submission,
      outcome: IntakeResult['status'],
      feeId: string | undefined,
      reqId: string | undefined
    ): void {
      if (outcome === 'created') {
        const attributes = { 'submission.id': submissionId, ...(feeId !== undefined && { 'fee.id': feeId }) }
        origins.set(submissionId, { feeId, span: startSpan('submission', { attributes }) })
        const [oldest = ''] = origins.keys()
        if (origins.size > MAX_KNOWN) origins.delete(oldest)
      }
      log.info({ reqId, submissionId, feeId, outcome }, 'submission accepted')
    },
    settled(submission: Submission): void {
      const { submissionId, status } = submission
      const { feeId, span } = origins.get(submissionId) ?? {}
      origins.delete(submissionId)
      const ids = { submissionId, feeId, ...(span && traceFields(span)) }
      if (status === 'committed') {
        const { txId, transactionHash: hash, height } = submission
        endSpan(span, { 'submission.status': status, 'tx.hash': hash, 'block.height': height })
        log.info({ ...ids, txId, hash, height }, 'submission committed')
      } else if (status === 'rejected') {
        const { transactionHash: hash, height, error } = submission
        const { code, codespace, message: reason } = error
        endSpan(span, { 'submission.status': status })
        log.info({ ...ids, hash, height, code, codespace, reason }, 'submission rejected')
      }
    },
    spanOf: (submissionId: string) => origins.get(submissionId)?.span,
    /** Forgets submissions that another process has settled and logged. */
    forget(submissionIds: readonly string[]): void {
      for (const submissionId of submissionIds) {
        endSpan(origins.get(submissionId)?.span)
        origins.delete(submissionId)
      }
    }
  }
}
