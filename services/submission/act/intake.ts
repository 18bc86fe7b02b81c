import { randomUUID } from 'node:crypto'
import { coalesce } from '../../async/coalesce.ts'
import type { Clock } from '../../clock.ts'
import { IdentityTakenError, ServiceError } from '../../errors/index.ts'
import type { Logger } from '../../logger.ts'
import type {
  DamageObserver,
  IntakeRequest,
  IntakeResult,
  JoinResult,
  Requester,
  Submission,
  SubmissionRequest,
  SubmissionStore
} from '../contract.ts'
import { StoreUncertainError } from '../errors.ts'
import type { Shares } from './shares.ts'
import type { SubmissionLog } from './submission-log.ts'

const MAX_CALLS = 5

const PAUSE_MS = 500

/** The maximum number of unsettled submissions. More would wait for hours (interface 6.28). */
const BACKLOG_LIMIT = 50_000

/** Returns a UUID of version 7. It begins with the time, so that new rows are next to each other in the store. */
function timeOrderedUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

const isUnknown = (error: unknown) => error instanceof ServiceError && error.code === 'SUBMISSION_UNKNOWN'

/**
 * Creates the intake, which resolves a submission only once it is durable. Submissions that arrive in the same turn of
 * the event loop share one database transaction, and therefore one flush to disk.
 */
export function createIntake(options: {
  store: SubmissionStore
  log: Logger
  submissionLog: SubmissionLog
  clock: Clock
  shares: Shares
  closedReason: () => ServiceError | undefined
  /** Returns the error to throw while the store might lack requests that the chain has executed. */
  incompleteReason: () => ServiceError | undefined
  onDamage: DamageObserver
}) {
  const { store, log, submissionLog, clock, shares, closedReason, incompleteReason, onDamage } = options
  let unsettled = 0
  let pending = 0

  /** @throws IdentityTakenError; ServiceError SUBMISSION_DAMAGED */
  function joined(result: IntakeResult): Submission {
    if (result.status === 'conflict') throw new IdentityTakenError(result.kind)
    if (result.status === 'damaged') {
      onDamage(result.damage)
      throw new ServiceError('SUBMISSION_DAMAGED', undefined, { cause: result.damage })
    }
    return result.submission
  }

  /**
   * Repeats the call while its outcome is unknown. That is safe, because the store recognizes the submissionIds.
   * @throws ServiceError SUBMISSION_UNKNOWN if the outcome stays unknown
   * @throws the store's error if nothing was stored
   */
  async function storeRepeatedly(requests: readonly IntakeRequest[]): Promise<IntakeResult[]> {
    let unknown: unknown
    for (let calls = 1; ; calls++) {
      try {
        return await store.take(requests)
      } catch (error) {
        // Even if a later call had no effect, an earlier call with an unknown outcome may have stored the submissions.
        if (unknown === undefined && !(error instanceof StoreUncertainError)) throw error
        unknown = error
      }
      if (calls === MAX_CALLS) throw new ServiceError('SUBMISSION_UNKNOWN', undefined, { cause: unknown })
      await new Promise<void>(resolve => void clock.after(PAUSE_MS, resolve))
    }
  }

  const storeTogether = coalesce(async (requests: IntakeRequest[]) => {
    try {
      const results = await storeRepeatedly(requests)
      return new Map(results.map((result, index) => [requests[index]?.submissionId, result]))
    } catch (err) {
      log.error(
        { err },
        isUnknown(err)
          ? 'could not determine whether submissions were stored'
          : 'rejected submissions that could not be stored'
      )
      throw isUnknown(err) ? err : new ServiceError('INTAKE_CLOSED')
    } finally {
      pending -= requests.length
    }
  })

  /** @throws `closed`, or INTAKE_CLOSED, if the store cannot be read */
  async function existing(
    request: SubmissionRequest,
    closed?: ServiceError
  ): Promise<JoinResult | undefined> {
    try {
      return await store.join(request)
    } catch (err) {
      log.error({ err }, 'could not read the store for a retry')
      throw closed ?? new ServiceError('INTAKE_CLOSED')
    }
  }

  function full(): ServiceError | undefined {
    if (unsettled + pending < BACKLOG_LIMIT) return undefined
    return new ServiceError('INTAKE_CLOSED', 'Too many submissions are waiting for the chain')
  }

  /** See `SubmissionService`. */
  async function submit(
    request: SubmissionRequest,
    { shareOf, requestId }: Partial<Requester> = {}
  ): Promise<Submission> {
    const closed = closedReason() ?? full() ?? shares.closedReason(shareOf)
    // The submission of a retry also gets the retry's other identities.
    if (closed && !(await existing(request, closed))) throw closed
    const submissionId = timeOrderedUuid()
    shares.add(submissionId, shareOf)
    pending += 1
    let result: IntakeResult | undefined
    try {
      result = (await storeTogether({ ...request, submissionId, requestId })).get(submissionId)
    } catch (error) {
      // A retry whose further identities cannot be stored still gets its submission (interface 6.29).
      if (!isUnknown(error)) result = await store.join(request).catch(() => undefined)
      if (!result) throw error
    } finally {
      if (result?.status !== 'created') shares.remove([submissionId])
    }
    if (!result) throw new TypeError(`the store returned no result for submission ${submissionId}`)
    const submission = joined(result)
    if (result.status === 'created') unsettled += 1
    submissionLog.accepted(submission, result.status, request.feeId, requestId)
    return submission
  }

  return {
    get unsettled(): number {
      return unsettled
    },
    setUnsettled(count: number): void {
      unsettled = count
    },
    submit,
    async isAccepted(request: SubmissionRequest): Promise<boolean> {
      // Later checks could permanently reject a submission that was already accepted, and the user would pay again.
      const found = await existing(request)
      if (found) return joined(found) !== undefined
      const incomplete = incompleteReason()
      if (incomplete) throw incomplete
      return false
    }
  }
}
