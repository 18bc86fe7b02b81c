import { randomUUID } from 'node:crypto'
import { IntakeClosedError, QuoteAlreadyUsedError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { IntakeResult, SubmissionStore } from './store/types.ts'
import type { Submission, SubmissionRequest } from './types.ts'

/** More unsettled submissions than this are refused rather than kept waiting for hours. */
const BACKLOG_LIMIT = 50_000

interface Pending {
  request: SubmissionRequest
  resolve(submission: Submission): void
  reject(error: Error): void
}

export interface Intake {
  /** Takes submissions from now on. `unsettled` is what the store holds already. */
  open(unsettled: number): void
  /** Refuses everything that comes from now on, with this reason. */
  close(reason: string): void
  take(request: SubmissionRequest): Promise<Submission>
  /** Notes that this many submissions were settled. */
  settled(count: number): void
}

/**
 * Makes submissions durable before they are answered. All that arrive in one turn of the event loop share one
 * database transaction and so one flush to the disk.
 */
export function createIntake(options: { store: SubmissionStore; log: Logger; onTaken: () => void }): Intake {
  const { store, log, onTaken } = options
  let closed: string | undefined = 'Submissions are not accepted yet'
  let unsettled = 0
  let pending: Pending[] = []

  function answer({ request, resolve, reject }: Pending, result: IntakeResult): void {
    if (result.status === 'conflict') {
      reject(new QuoteAlreadyUsedError())
      return
    }
    const { submissionId } = result.submission
    if (result.status === 'created') unsettled += 1
    log.info({ submissionId, identity: request.identity, outcome: result.status }, 'submission taken')
    resolve(result.submission)
  }

  async function commit(): Promise<void> {
    const group = pending
    pending = []
    try {
      const results = await store.take(
        group.map(({ request }) => ({ ...request, submissionId: randomUUID() }))
      )
      for (const [index, result] of results.entries()) {
        const entry = group[index]
        if (entry) answer(entry, result)
      }
      onTaken()
    } catch (err) {
      log.error({ err }, 'submissions could not be stored; nothing was taken')
      for (const { reject } of group) reject(new IntakeClosedError())
    }
  }

  return {
    open(count) {
      unsettled = count
      closed = undefined
    },
    close(reason) {
      closed = reason
    },
    take(request) {
      if (closed !== undefined) return Promise.reject(new IntakeClosedError(closed))
      if (unsettled + pending.length >= BACKLOG_LIMIT) {
        return Promise.reject(new IntakeClosedError('Too many submissions are waiting for the chain'))
      }
      return new Promise((resolve, reject) => {
        pending.push({ request, resolve, reject })
        if (pending.length === 1) setImmediate(commit)
      })
    },
    settled(count) {
      unsettled -= count
    }
  }
}
