import type { Submission } from '../../../services/submission/contract.ts'
import { isSettled } from '../../../services/submission/view.ts'
import { type ModelMessage, targetOf } from '../chain/messages.ts'
import type { Disk } from '../store/disk.ts'
import type { Record } from './record.ts'

type Request = Pick<ModelMessage, 'identity' | 'content'>

export type Witness = ReturnType<typeof createWitness>

/** Error codes that guarantee that nothing was accepted. */
const NOTHING_TAKEN = ['INTAKE_CLOSED', 'WALLET_NOT_WHITELISTED', 'WALLET_UNKNOWN']

export const TAKEN = ['QUOTE_ALREADY_USED', 'PAYMENT_ALREADY_USED']

const keyOf = ({ identity, content }: Request) => `${identity}/${content}`

/** Compares each response to a client with the current store, and keeps a record for the verdict. */
export function createWitness(disk: Disk, record: Record, fail: (reason: string) => void) {
  const ids = new Set<string>()
  const taken = new Set<string>()

  return {
    ids,
    forget(): void {
      for (const id of ids) if (!disk.submissions.has(id)) ids.delete(id)
    },
    maybeTaken: (request: Request) => taken.has(keyOf(request)),
    accepted(request: Request, { submissionId }: Submission) {
      ids.add(submissionId)
      taken.add(keyOf(request))
      const stored = disk.submissions.get(submissionId)
      if (!stored) return fail(`${keyOf(request)} was accepted before it was durable`)
      if (keyOf(stored.request) !== keyOf(request))
        fail(`the response to ${keyOf(request)} contains the submission of another request`)
    },
    refused(request: Request, error: Error) {
      const { identity, content } = request
      const code = 'code' in error ? String(error.code) : ''
      if (NOTHING_TAKEN.includes(code)) return
      if (code === 'SUBMISSION_UNKNOWN') return void taken.add(keyOf(request))
      if (!TAKEN.includes(code)) return fail(`${keyOf(request)} got the error ${error}`)
      const others = [...disk.submissions.values()].filter(({ request }) => request.identity === identity)
      const isRefused = record.firstTargets.get(identity) !== targetOf(content)
      if (!isRefused && !others.some(({ request }) => request.content !== content))
        fail(`${keyOf(request)} was rejected as a conflict, but no submission has other content`)
    },
    unanswered: (request: Request) => void taken.add(keyOf(request)),
    told(submission: Submission): void {
      const { submissionId, status } = submission
      const stored = disk.submissions.get(submissionId)?.submission
      if (isSettled(submission) && stored?.status !== status)
        fail(`${submissionId} was reported as ${status}, but is ${stored?.status} in the store`)
    }
  }
}
