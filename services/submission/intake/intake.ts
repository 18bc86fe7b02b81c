import { v7 as timeOrderedUuid } from 'uuid'
import { IntakeClosedError, QuoteAlreadyUsedError, type ServiceError } from '../../errors/index.ts'
import type { Logger } from '../../logger.ts'
import type { IntakeResult, SubmissionStore } from '../store/types.ts'
import type { Submission, SubmissionRequest } from '../types.ts'

/** More unsettled submissions than this are refused rather than kept waiting for hours. */
const BACKLOG_LIMIT = 50_000

interface Pending {
  request: SubmissionRequest
  resolve(submission: Submission): void
  reject(error: Error): void
}

export interface Intake {
  /**
   * Who asks again for what was taken before joins it, also while nothing new can be taken.
   * @throws ServiceError of status 503, and then nothing was taken
   */
  take(request: SubmissionRequest): Promise<Submission>
  /** How many submissions wait for the chain. */
  readonly unsettled: number
  /** Notes how many the store holds already, at the start. */
  found(count: number): void
  /** Notes that this many were settled. */
  settled(count: number): void
}

/**
 * Makes submissions durable before they are answered. All that arrive in one turn of the event loop share one
 * database transaction and so one flush to the disk.
 */
export function createIntake(options: {
  store: SubmissionStore
  log: Logger
  /** Why nothing can be taken at the moment. */
  closedBy: () => ServiceError | undefined
  onTaken: () => void
}): Intake {
  const { store, log, closedBy, onTaken } = options
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
        group.map(({ request }) => ({ ...request, submissionId: timeOrderedUuid() }))
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

  async function join(request: SubmissionRequest, closed: ServiceError): Promise<Submission> {
    const joined = await store.join(request).catch(err => {
      log.error({ err }, 'the store could not be read')
      return undefined
    })
    if (!joined) throw closed
    return new Promise((resolve, reject) => answer({ request, resolve, reject }, joined))
  }

  function full(): ServiceError | undefined {
    if (unsettled + pending.length < BACKLOG_LIMIT) return undefined
    return new IntakeClosedError('Too many submissions are waiting for the chain')
  }

  return {
    get unsettled() {
      return unsettled
    },
    found(count) {
      unsettled = count
    },
    take(request) {
      const closed = closedBy() ?? full()
      if (closed) return join(request, closed)
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
