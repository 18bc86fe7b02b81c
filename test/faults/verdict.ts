import type { Test } from 'tap'
import type { Devnet } from '../../devnet/index.ts'
import type { Submission } from '../../services/submission/types.ts'
import {
  type Accepted,
  assertExactlyOnce,
  type ChainTruth,
  readChainOverRpc
} from '../helpers/oracle/index.ts'
import type { Answer } from './transfers.ts'

type Answers = ReadonlyMap<string, readonly Answer[]>
type Committed = Extract<Answer, { status: 'committed' }>

const place = ({ submissionId, txId, transactionHash, height }: Committed) =>
  [submissionId, txId, transactionHash, height].join(' ')

/** Every submission that some answer named, as the service tells of it now. */
async function acceptedOf(url: string, answers: Answers): Promise<Accepted[]> {
  const accepted: Accepted[] = []
  for (const [feeId, given] of answers) {
    for (const id of new Set(
      given.flatMap(answer => ('submissionId' in answer ? [answer.submissionId] : []))
    )) {
      const response = await fetch(`${url}/submissions/${id}`)
      accepted.push({ feeId, submission: (await response.json()) as Submission })
    }
  }
  return accepted
}

/** Answers of "committed" that are not what the service tells now. */
function contradictions(answers: Answers, accepted: Accepted[]): string[] {
  const places = new Set(
    accepted.map(({ submission }) => (submission.status === 'committed' ? place(submission) : ''))
  )
  return [...answers].flatMap(([feeId, given]) =>
    given
      .filter(answer => answer.status === 'committed')
      .map(place)
      .filter(told => !places.has(told))
      .map(told => `${feeId}: ${told}`)
  )
}

/** Nobody knows whether the service took what it never answered: the chain may have it or not. */
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
 * Holds all that clients were told against every block of the chain and against what the service tells at the end.
 * An entry without answers was sent and never answered.
 * @param url the service's
 */
export async function assertAnswersHold(
  t: Test,
  devnet: Devnet,
  url: string,
  answers: Answers
): Promise<void> {
  const accepted = await acceptedOf(url, answers)
  t.strictSame(contradictions(answers, accepted), [], 'a result is told once and for all')
  const truth = await readChainOverRpc(devnet.urls.rpc, devnet.addresses.development)
  const twice = [...truth.executions].filter(([, count]) => count > 1)
  t.strictSame(twice, [], 'no feeId is on the chain twice, answered or not')
  assertExactlyOnce(t, withoutUnanswered(truth, answers), accepted)
  t.strictSame(truth.failures, [], 'no transaction failed')
}
