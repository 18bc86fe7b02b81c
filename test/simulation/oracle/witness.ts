import type { Submission } from '../../../services/submission/engine.ts'
import type { Disk } from '../store/disk.ts'

interface Request {
  identity: string
  content: string
}

/** Compares each response to a client with the store at that moment, and records it for the verdict. */
export interface Witness {
  accepted(request: Request & { submission: Submission }): void
  /** The client got an error. */
  refused(request: Request & { error: Error }): void
  /** The client cannot know whether its submission was accepted. */
  unanswered(request: Request): void
  /** The client got the outcome. */
  told(submission: Submission): void
  /** The ids that clients know. */
  readonly ids: ReadonlySet<string>
  /** Forgets the ids that the store lost when it was set back. */
  forget(): void
  /** Whether a client's submission was reported as accepted, or got no response. */
  maybeTaken(request: Request): boolean
}

/** Errors that guarantee that nothing was accepted. */
const NOTHING_TAKEN = ['INTAKE_CLOSED', 'WALLET_NOT_WHITELISTED', 'WALLET_UNKNOWN']

const keyOf = ({ identity, content }: Request) => `${identity}/${content}`

export function createWitness(disk: Disk, fail: (reason: string) => void): Witness {
  const ids = new Set<string>()
  const taken = new Set<string>()

  return {
    ids,
    forget() {
      for (const id of ids) if (!disk.submissions.has(id)) ids.delete(id)
    },
    maybeTaken: request => taken.has(keyOf(request)),
    accepted(request) {
      const { identity, content, submission } = request
      ids.add(submission.submissionId)
      taken.add(keyOf(request))
      const stored = disk.submissions.get(submission.submissionId)
      if (!stored) return fail(`${keyOf(request)} was answered before it was durable`)
      if (keyOf(stored.request) !== keyOf({ identity, content })) {
        fail(`${keyOf(request)} was answered with the submission of something else`)
      }
    },
    refused(request) {
      const { identity, content, error } = request
      const code = 'code' in error ? String(error.code) : ''
      if (NOTHING_TAKEN.includes(code)) return
      if (code === 'SUBMISSION_UNKNOWN') return void taken.add(keyOf(request))
      if (code !== 'QUOTE_ALREADY_USED') return fail(`${keyOf(request)} was answered with ${error}`)
      const others = [...disk.submissions.values()].filter(({ request }) => request.identity === identity)
      if (!others.some(({ request }) => request.content !== content)) {
        fail(`${keyOf(request)} was refused for other content that does not exist`)
      }
    },
    unanswered(request) {
      taken.add(keyOf(request))
    },
    told(submission) {
      const stored = disk.submissions.get(submission.submissionId)?.submission
      const isSettled = submission.status === 'committed' || submission.status === 'rejected'
      if (isSettled && stored?.status !== submission.status) {
        fail(`${submission.submissionId} was told to be ${submission.status}, but is ${stored?.status}`)
      }
    }
  }
}
