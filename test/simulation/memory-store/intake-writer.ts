import {
  type IntakeRequest,
  type IntakeResult,
  type JoinResult,
  StoreConflictError
} from '../../../services/submission/store/types.ts'
import type { Refusal, Submission, SubmissionRequest } from '../../../services/submission/types.ts'
import type { Disk } from './disk.ts'

function isSameContent(a: SubmissionRequest, b: SubmissionRequest): boolean {
  return a.typeUrl === b.typeUrl && Buffer.compare(a.message, b.message) === 0
}

/** Takes submissions, and rejects those that were never signed. */
export function createIntakeWriter({ submissions, identities }: Disk, timestamp: () => string) {
  function join(request: SubmissionRequest): JoinResult | undefined {
    const existing = submissions.get(identities.get(request.identity) ?? '')
    if (!existing || existing.submission.status === 'rejected') return undefined
    if (!isSameContent(existing.request, request)) return { status: 'conflict' }
    return { status: 'joined', submission: existing.submission }
  }

  return {
    join,

    take(request: IntakeRequest): IntakeResult {
      const joined = join(request)
      if (joined) return joined
      const { submissionId, identity, typeUrl, message } = request
      const at = timestamp()
      const submission: Submission = { submissionId, status: 'queued', createdAt: at, updatedAt: at }
      const failures = { attempts: 0, loneFailures: 0, batchLimit: undefined, suspicion: undefined }
      submissions.set(submissionId, {
        request: { identity, typeUrl, message },
        submission,
        ...failures,
        sequence: undefined
      })
      identities.set(identity, submissionId)
      return { status: 'created', submission }
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
