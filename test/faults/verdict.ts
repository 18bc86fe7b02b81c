import type { Test } from 'tap'
import type { CommittedSubmission, Submission } from '../../services/submission/types.ts'
import type { Network } from '../helpers/network.ts'
import {
  type Accepted,
  assertExactlyOnce,
  type ChainTruth,
  readChainOverRpc
} from '../helpers/oracle/index.ts'
import type { Answer } from './transfers.ts'

type Answers = ReadonlyMap<string, readonly Answer[]>
type Committed = Extract<Answer, { status: 'committed' }>

const place = ({ submissionId, txId, transactionHash, height }: Committed | CommittedSubmission) =>
  [submissionId, txId, transactionHash, height].join(' ')

/** How many submissions are read at once. */
const READ_AT_ONCE = 32

/** Every submission that some answer named, as the service reports it now. */
async function acceptedOf(url: string, answers: Answers): Promise<Accepted[]> {
  const named = [...answers].flatMap(([feeId, given]) => {
    const ids = given.flatMap(answer => ('submissionId' in answer ? [answer.submissionId] : []))
    return [...new Set(ids)].map(id => ({ feeId, id }))
  })
  const accepted: Accepted[] = []
  for (let next = 0; next < named.length; next += READ_AT_ONCE) {
    const reads = named.slice(next, next + READ_AT_ONCE).map(async ({ feeId, id }) => {
      const response = await fetch(`${url}/submissions/${id}`)
      return { feeId, submission: (await response.json()) as Submission }
    })
    accepted.push(...(await Promise.all(reads)))
  }
  return accepted
}

/** Answers of "committed" that differ from what the service reports now. */
function contradictions(answers: Answers, accepted: Accepted[]): string[] {
  const places = new Set(
    accepted.map(({ submission }) => (submission.status === 'committed' ? place(submission) : ''))
  )
  return [...answers].flatMap(([feeId, given]) =>
    given
      .filter(answer => answer.status === 'committed')
      .map(place)
      .filter(reported => !places.has(reported))
      .map(reported => `${feeId}: ${reported}`)
  )
}

/** Leaves out what the service never answered: it may have accepted that or not. */
function withoutUnanswered(truth: ChainTruth, answers: Answers): ChainTruth {
  const executions = new Map(truth.executions)
  const requests = new Map(truth.requests)
  for (const [feeId, given] of answers) {
    if (given.length > 0) continue
    executions.delete(feeId)
    requests.delete(feeId)
  }
  return { ...truth, executions, requests }
}

/**
 * Compares all answers that clients got with every block of the chain and with what the service reports at the end.
 * @param url of the service
 * @param answers by feeId; an empty list for a transfer that was sent and never answered
 */
export async function assertAnswersHold(
  t: Test,
  network: Omit<Network, 'env'>,
  url: string,
  answers: Answers
): Promise<void> {
  const accepted = await acceptedOf(url, answers)
  t.strictSame(contradictions(answers, accepted), [], 'a reported result never changes')
  const truth = await readChainOverRpc(network.urls.rpc, network.addresses.development, network.earlier)
  const twice = [...truth.executions].filter(([, count]) => count > 1)
  t.strictSame(twice, [], 'no feeId is on the chain twice, answered or not')
  assertExactlyOnce(t, withoutUnanswered(truth, answers), accepted)
  t.strictSame(truth.failures, [], 'no transaction failed')
}
