import type { Submission } from '../../../services/submission/engine.ts'
import type { Disk } from '../store/disk.ts'

interface Request {
  identity: string
  content: string
}

export type Witness = ReturnType<typeof createWitness>

/** Errors that guarantee that nothing was accepted. */
const NOTHING_TAKEN = ['INTAKE_CLOSED', 'WALLET_NOT_WHITELISTED', 'WALLET_UNKNOWN']

const keyOf = ({ identity, content }: Request) => `${identity}/${content}`

/** Compares each response to a client with the store at that moment, and records it for the verdict. */
export function createWitness(disk: Disk, fail: (reason: string) => void) {
  /** The ids that clients know. */
  const ids = new Set<string>()
  const taken = new Set<string>()

  return {
    ids,
    /** Forgets the ids that the store lost when it was set back. */
    forget(): void {
      for (const id of ids) if (!disk.submissions.has(id)) ids.delete(id)
    },
    /** Whether a client's submission was reported as accepted, or got no response. */
    maybeTaken: (request: Request) => taken.has(keyOf(request)),
    accepted(request: Request & { submission: Submission }) {
      const { identity, content, submission } = request
      ids.add(submission.submissionId)
      taken.add(keyOf(request))
      const stored = disk.submissions.get(submission.submissionId)
      if (!stored) return fail(`${keyOf(request)} was accepted before it was durable`)
      if (keyOf(stored.request) !== keyOf({ identity, content })) {
        fail(`${keyOf(request)} got the submission of something else`)
      }
    },
    /** The client got an error. */
    refused(request: Request & { error: Error }) {
      const { identity, content, error } = request
      const code = 'code' in error ? String(error.code) : ''
      if (NOTHING_TAKEN.includes(code)) return
      if (code === 'SUBMISSION_UNKNOWN') return void taken.add(keyOf(request))
      if (code !== 'QUOTE_ALREADY_USED') return fail(`${keyOf(request)} got the error ${error}`)
      const others = [...disk.submissions.values()].filter(({ request }) => request.identity === identity)
      if (!others.some(({ request }) => request.content !== content)) {
        fail(`${keyOf(request)} was refused for other content that does not exist`)
      }
    },
    /** The client cannot know whether its submission was accepted. */
    unanswered(request: Request): void {
      taken.add(keyOf(request))
    },
    /** The client got the outcome. */
    told(submission: Submission): void {
      const stored = disk.submissions.get(submission.submissionId)?.submission
      const isSettled = submission.status === 'committed' || submission.status === 'rejected'
      if (isSettled && stored?.status !== submission.status) {
        fail(`${submission.submissionId} was reported as ${submission.status}, but is ${stored?.status}`)
      }
    }
  }
}
