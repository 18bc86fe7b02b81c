import { identityKey } from '../../../services/submission/identities.ts'
import { StoreConflictError } from '../../../services/submission/store/errors.ts'
import type { IntakeRequest, IntakeResult, JoinResult } from '../../../services/submission/store/types.ts'
import type { Identity, Refusal, Submission, SubmissionRequest } from '../../../services/submission/types.ts'
import type { Disk } from './disk.ts'

export function isSameContent(a: SubmissionRequest, b: SubmissionRequest): boolean {
  return a.typeUrl === b.typeUrl && Buffer.compare(a.message, b.message) === 0
}

/** Takes submissions, and rejects those that were never signed. */
export function createIntakeWriter({ submissions, identities }: Disk, timestamp: () => string) {
  /** A refused submission holds no identity. */
  function holderOf(identity: Identity) {
    const holder = submissions.get(identities.get(identityKey(identity)) ?? '')
    return holder?.submission.status === 'rejected' ? undefined : holder
  }

  function join(request: SubmissionRequest): JoinResult | undefined {
    const held = request.identities.map(identity => ({ ...identity, holder: holderOf(identity) }))
    const other = held.find(({ holder }) => holder && !isSameContent(holder.request, request))
    if (other) return { status: 'conflict', kind: other.kind }
    const holder = held.find(identity => identity.holder)?.holder
    return holder && { status: 'joined', submission: holder.submission }
  }

  function insert({ submissionId, ...request }: IntakeRequest): IntakeResult {
    const at = timestamp()
    const submission: Submission = { submissionId, status: 'queued', createdAt: at, updatedAt: at }
    const failures = { attempts: 0, loneFailures: 0, batchLimit: undefined, suspicion: undefined }
    submissions.set(submissionId, { request, submission, ...failures, sequence: undefined })
    return { status: 'created', submission }
  }

  return {
    join,

    take(request: IntakeRequest): IntakeResult {
      const earlier = submissions.get(request.submissionId)
      if (earlier) return { status: 'created', submission: earlier.submission }
      const result = join(request) ?? insert(request)
      if (!('submission' in result)) return result
      for (const identity of request.identities) {
        if (!holderOf(identity)) identities.set(identityKey(identity), result.submission.submissionId)
      }
      return result
    },

    reject(submissionId: string, error: Refusal): Submission {
      const stored = submissions.get(submissionId)
      if (stored?.submission.status !== 'queued')
        throw new StoreConflictError(`${submissionId} is not queued`)
      const { createdAt } = stored.submission
      stored.submission = { submissionId, createdAt, updatedAt: timestamp(), status: 'rejected', error }
      return stored.submission
    }
  }
}
