import type { Told } from '../helpers/oracle/index.ts'
import { patientFetch } from '../helpers/patient-fetch.ts'
import { ownRequest } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'

const headers = { 'content-type': 'application/json' }

/** Delay before a client retries. */
export const PAUSE_MS = 100

const REFUSAL = /^The chain refused the transaction \((\S+) (\d+)\): ([\s\S]*)$/

/**
 * Sends the request with that feeId (`ownRequest`) once, like a widget.
 * @throws Error for a response that no client should ever get
 */
export async function send(url: string, feeId: string): Promise<Told> {
  const { path, body } = ownRequest(feeId)
  const answer = await ask(`${url}${path}`, { method: 'POST', headers, body })
  if (answer === undefined) return { status: 'lost' }
  const { status, json } = answer
  if (status === 200 && json['txId'] !== undefined) return { ...json, status: 'committed' } as Told
  if (status === 202) return { ...json, status: 'pending' } as Told
  const [, codespace, code, message] = REFUSAL.exec(String(json['message'])) ?? []
  if (status === 400 && json['code'] === 'CHAIN_REJECTED' && codespace && message !== undefined) {
    return { status: 'rejected', error: { codespace, code: Number(code), message } }
  }
  if (status === 503) return { status: 'closed' }
  throw new Error(`POST of ${feeId} was answered with ${status}: ${JSON.stringify(json)}`)
}

/** Whether the service has neither accepted nor refused the request: the connection broke, or intake was closed. */
export const isFailed = ({ status }: Told) => status === 'lost' || status === 'closed'

/** Retries the request until the service accepts or refuses it, like a client of a server that starts or is overloaded. */
export async function sendUntilTaken(url: string, feeId: string): Promise<Told> {
  return until(async () => {
    const answer = await send(url, feeId)
    return !isFailed(answer) && answer
  }, `${feeId} is taken`)
}

/**
 * Reads the status of a submission.
 * @throws Error for a response that no client should ever get, such as that the submission does not exist
 */
export async function look(url: string, submissionId: string): Promise<Told> {
  const answer = await ask(`${url}/submissions/${submissionId}`)
  if (answer === undefined) return { status: 'lost' }
  const { status, json } = answer
  if (status === 503) return { status: 'closed' }
  if (status !== 200) {
    throw new Error(`GET of submission ${submissionId} was answered with ${status}: ${JSON.stringify(json)}`)
  }
  if (json['status'] === 'queued' || json['status'] === 'broadcast')
    return { status: 'pending', submissionId }
  if (json['status'] !== 'rejected') return json as Told
  const { chainCode, ...error } = json['error'] as { chainCode: number; codespace: string; message: string }
  return { ...json, status: 'rejected', error: { ...error, code: chainCode } }
}

/** Polls a submission until the chain has decided it; the server must stay up. */
export async function decided(url: string, answer: Told): Promise<Told> {
  if (answer.status !== 'pending') return answer
  return until(async () => {
    const present = await look(url, answer.submissionId)
    return present.status !== 'pending' && present
  }, `the chain has decided ${answer.submissionId}`)
}

/** @returns undefined if the connection breaks before the whole response has arrived */
async function ask(url: string, init?: RequestInit) {
  try {
    const response = await patientFetch(url, init)
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  } catch {
    return undefined
  }
}
