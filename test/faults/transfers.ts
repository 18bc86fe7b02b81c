import { specialTargets } from '../../devnet/modules/transfer/special-addresses.ts'
import { submitBody } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'

/** What a client knows about a transfer that it sent. */
export type Answer =
  | { status: 'committed'; submissionId: string; txId: number; transactionHash: string; height: number }
  /** Accepted, not decided yet. */
  | { status: 'pending'; submissionId: string }
  /** Refused by the chain, finally. */
  | { status: 'rejected' }
  /** Not accepted because intake is closed, or not to be read while the database is away. */
  | { status: 'closed' }
  /** The connection broke, so the client does not know. */
  | { status: 'lost' }

const headers = { 'content-type': 'application/json' }

/** How long a client waits before it retries. */
export const PAUSE_MS = 20

/**
 * Sends a transfer once, as a widget does.
 * @param refused whether the chain is to refuse it
 * @throws Error for an answer that no client should ever get
 */
export async function send(url: string, feeId: string, refused = false): Promise<Answer> {
  const body = submitBody(feeId, refused ? { targetAddress: specialTargets.failedMessage } : {})
  const answer = await ask(`${url}/submit`, { method: 'POST', headers, body })
  if (answer === undefined) return { status: 'lost' }
  const { status, json } = answer
  if (status === 200) return { ...json, status: 'committed' } as Answer
  if (status === 202) return { ...json, status: 'pending' } as Answer
  if (status === 400 && json['code'] === 'CHAIN_REJECTED') return { status: 'rejected' }
  if (status === 503) return { status: 'closed' }
  throw new Error(`POST /submit of ${feeId} was answered with ${status}: ${JSON.stringify(json)}`)
}

/**
 * Reads the status of a submission.
 * @throws Error for an answer that no client should ever get, such as that it does not exist
 */
export async function look(url: string, submissionId: string): Promise<Answer> {
  const answer = await ask(`${url}/submissions/${submissionId}`)
  if (answer === undefined) return { status: 'lost' }
  const { status, json } = answer
  if (status === 503) return { status: 'closed' }
  if (status !== 200) {
    throw new Error(`GET of submission ${submissionId} was answered with ${status}: ${JSON.stringify(json)}`)
  }
  if (json['status'] === 'queued' || json['status'] === 'broadcast')
    return { status: 'pending', submissionId }
  return json as Answer
}

/** Polls a submission until the chain has decided it; the server must stay up. */
export async function decided(url: string, answer: Answer): Promise<Answer> {
  if (answer.status !== 'pending') return answer
  return until(async () => {
    const present = await look(url, answer.submissionId)
    return present.status !== 'pending' && present
  }, `the chain has decided ${answer.submissionId}`)
}

/** @returns undefined when the connection breaks before the whole answer is there */
async function ask(url: string, init?: RequestInit) {
  try {
    const response = await fetch(url, init)
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  } catch {
    return undefined
  }
}
