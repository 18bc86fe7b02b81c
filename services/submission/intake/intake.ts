import { ROOT_CONTEXT } from '@opentelemetry/api'
import { v7 as timeOrderedUuid } from 'uuid'
import type { Clock } from '../../clock.ts'
import { IdentityTakenError, ServiceError } from '../../errors/index.ts'
import type { Networks } from '../../http/network-shares.ts'
import type { Logger } from '../../logger.ts'
import { inSpan, outsideTraces, spanIn } from '../../tracing/index.ts'
import { StoreUncertainError } from '../store/errors.ts'
import type { IntakeRequest, IntakeResult, JoinResult, SubmissionStore } from '../store/types.ts'
import type { Requester, Submission, SubmissionRequest } from '../types.ts'
import type { Shares } from './shares.ts'
import { feeIdOf, type RequestIds, type SubmissionLog } from './submission-log.ts'

/** How often a call is made whose outcome stays unknown, and the pause between two calls. */
const MOST_CALLS = 5
const PAUSE_MS = 500

/** With this many unsettled submissions new ones are refused, because they would wait for hours (interface 6.28). */
const BACKLOG_LIMIT = 50_000

interface Pending {
  submissionId: string
  request: SubmissionRequest
  ids: RequestIds
  resolve(submission: Submission): void
  reject(error: Error): void
}

export interface Intake {
  /**
   * Accepts a submission. A retry returns the existing one, even while intake is closed (interface 6.29).
   * @param requester when left out, it takes nobody's share
   * @throws IdentityTakenError
   * @throws ServiceError SUBMISSION_UNKNOWN when it is not known whether it was accepted (interface 6.42)
   * @throws ServiceError of status 503 when nothing was accepted (interface 6.28)
   * @throws ServiceError SUBMISSION_DAMAGED when the existing one is damaged
   * @throws ServiceError BACKLOG_SHARE when the client has used its share
   */
  take(request: SubmissionRequest, requester?: Requester): Promise<Submission>
  /**
   * Whether the content was accepted before, so that `take` returns that submission.
   * @throws IdentityTakenError
   * @throws ServiceError of status 503 when that cannot be known
   */
  isAccepted(request: SubmissionRequest): Promise<boolean>
  /** Submissions that are neither committed nor rejected. */
  readonly unsettled: number
  /** Sets the number of unsettled submissions, as the store has counted them. */
  setUnsettled(count: number): void
  /** Subtracts submissions that were settled. */
  noteSettled(count: number): void
}

/**
 * Makes submissions durable before they are answered. Those that arrive in one turn of the event loop share one
 * database transaction, and so one flush to the disk.
 */
export function createIntake(options: {
  store: SubmissionStore
  log: Logger
  submissionLog: SubmissionLog
  clock: Clock
  shares: Shares
  /** The reason why intake is closed; undefined while it is open. */
  closedReason: () => ServiceError | undefined
  /** Why a retry may not be recognized although the chain has executed it; undefined when the store is complete. */
  incompleteReason: () => ServiceError | undefined
}): Intake {
  const { store, log, submissionLog, clock, shares, closedReason, incompleteReason } = options
  let unsettled = 0
  let pending: Pending[] = []

  function answer(
    { request, ids, resolve, reject }: Omit<Pending, 'submissionId'>,
    result: IntakeResult
  ): void {
    if (result.status === 'conflict') {
      reject(new IdentityTakenError(result.kind))
      return
    }
    if (result.status === 'damaged') {
      reject(new ServiceError('SUBMISSION_DAMAGED', undefined, { cause: result.damage }))
      return
    }
    const { submissionId } = result.submission
    if (result.status === 'created') unsettled += 1
    submissionLog.accepted({ submissionId, outcome: result.status }, request.identities, ids)
    resolve(result.submission)
  }

  async function commit(): Promise<void> {
    const group = pending
    pending = []
    try {
      const results = await takeRepeatedly(
        store,
        clock,
        group.map(({ request, submissionId }) => ({ ...request, submissionId }))
      )
      for (const [index, result] of results.entries()) {
        const entry = group[index]
        if (!entry) continue
        if (result.status !== 'created') shares.remove([entry.submissionId])
        answer(entry, result)
      }
    } catch (err) {
      const isUnknown = err instanceof ServiceError && err.code === 'SUBMISSION_UNKNOWN'
      if (isUnknown) log.error({ err }, 'it is not known whether submissions were stored')
      else log.error({ err }, 'submissions could not be stored and were refused')
      shares.remove(group.map(({ submissionId }) => submissionId))
      for (const { reject } of group) reject(isUnknown ? err : new ServiceError('INTAKE_CLOSED'))
    }
  }

  /** @throws `closed` when the store cannot be read */
  async function existing(request: SubmissionRequest, closed: ServiceError): Promise<JoinResult | undefined> {
    try {
      return await store.join(request)
    } catch (err) {
      log.error({ err }, 'the store could not be read for a retry')
      throw closed
    }
  }

  async function join(
    request: SubmissionRequest,
    ids: RequestIds,
    closed: ServiceError
  ): Promise<Submission> {
    const joined = await existing(request, closed)
    if (!joined) throw closed
    return new Promise((resolve, reject) => answer({ request, ids, resolve, reject }, joined))
  }

  function accept(
    request: SubmissionRequest,
    networks: Networks | undefined,
    ids: RequestIds
  ): Promise<Submission> {
    const share = networks && shares.closedReason(networks)
    const closed = closedReason() ?? full() ?? share
    if (closed) return join(request, ids, closed)
    const submissionId = timeOrderedUuid()
    if (networks) shares.add(submissionId, networks)
    return new Promise((resolve, reject) => {
      pending.push({ submissionId, request, ids, resolve, reject })
      if (pending.length === 1) outsideTraces(() => setImmediate(commit))
    })
  }

  function full(): ServiceError | undefined {
    if (unsettled + pending.length < BACKLOG_LIMIT) return undefined
    return new ServiceError('INTAKE_CLOSED', 'Too many submissions are waiting for the chain')
  }

  return {
    get unsettled() {
      return unsettled
    },
    setUnsettled(count) {
      unsettled = count
    },
    take(request, { networks, requestId: reqId }: Partial<Requester> = {}) {
      return inSpan('intake', async span => {
        const submission = await accept(request, networks, { reqId, trace: spanIn(ROOT_CONTEXT, span) })
        const feeId = feeIdOf(request.identities)
        span.setAttributes({
          'submission.id': submission.submissionId,
          ...(feeId !== undefined && { 'fee.id': feeId })
        })
        return submission
      })
    },
    async isAccepted(request) {
      // The checks that follow could refuse for good what was accepted, and the user would pay again.
      const found = await existing(request, new ServiceError('INTAKE_CLOSED'))
      if (found?.status === 'conflict') throw new IdentityTakenError(found.kind)
      if (found?.status === 'damaged')
        throw new ServiceError('SUBMISSION_DAMAGED', undefined, { cause: found.damage })
      const incomplete = found ? undefined : incompleteReason()
      if (incomplete) throw incomplete
      return found !== undefined
    },
    noteSettled(count) {
      unsettled -= count
    }
  }
}

/**
 * Stores submissions, and repeats the call while its outcome is unknown. The ids make it the same call each time.
 * @throws ServiceError SUBMISSION_UNKNOWN when the outcome stays unknown
 * @throws the store's error when nothing was stored
 */
async function takeRepeatedly(
  store: Pick<SubmissionStore, 'take'>,
  clock: Clock,
  requests: readonly IntakeRequest[]
): Promise<IntakeResult[]> {
  let unknown: unknown
  for (let calls = 1; ; calls++) {
    try {
      return await store.take(requests)
    } catch (error) {
      // A later call that had no effect says nothing about an earlier one that may have had it.
      if (unknown === undefined && !(error instanceof StoreUncertainError)) throw error
      unknown = error
    }
    if (calls === MOST_CALLS) throw new ServiceError('SUBMISSION_UNKNOWN', undefined, { cause: unknown })
    await new Promise<void>(resolve => void clock.after(PAUSE_MS, resolve))
  }
}
