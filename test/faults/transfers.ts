import type { Told } from '../helpers/oracle/index.ts'
import { patientFetch, patientPost } from '../helpers/patient-fetch.ts'
import { ownRequest } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'

export const PAUSE_MS = 100

/** Intake is closed, or the server was suspended while it received the request (21.1). Nothing was accepted. */
const CLOSED = [503, 408]

const REFUSAL = /^The chain refused the transaction \((\S+) (\d+)\): ([\s\S]*)$/

/** Sends `ownRequest(feeId)` like a widget, but once. @throws Error for a response that no client should ever get */
export async function send(url: string, feeId: string): Promise<Told> {
  const { path, body } = ownRequest(feeId)
  const answer = await answerOf(patientPost(`${url}${path}`, body))
  if (answer === undefined) return { status: 'lost' }
  const { status, json } = answer
  if (status === 200 && json['txId'] !== undefined) return { ...json, status: 'committed' } as Told
  if (status === 202) return { ...json, status: 'pending' } as Told
  const [, codespace, code, message] = REFUSAL.exec(String(json['message'])) ?? []
  if (status === 400 && json['code'] === 'CHAIN_REJECTED' && codespace && message !== undefined) {
    return { status: 'rejected', error: { codespace, code: Number(code), message } }
  }
  if (CLOSED.includes(status)) return { status: 'closed', code: String(json['code']) }
  throw new Error(`POST with feeId ${feeId} returned ${status}: ${JSON.stringify(json)}`)
}

/** Returns whether the request must be retried because the connection broke or intake was closed. */
export const isFailed = ({ status }: Told) => status === 'lost' || status === 'closed'

/** Retries the request until the service accepts or rejects it, like a client of a starting or overloaded server. */
export async function sendUntilTaken(url: string, feeId: string): Promise<Told> {
  return until(async () => {
    const answer = await send(url, feeId)
    return !isFailed(answer) && answer
  }, `${feeId} is taken`)
}

/** @throws Error for a response that no client should ever get, such as 404 for an accepted submission */
export async function look(url: string, submissionId: string): Promise<Told> {
  const answer = await answerOf(patientFetch(`${url}/submissions/${submissionId}`))
  if (answer === undefined) return { status: 'lost' }
  const { status, json } = answer
  if (CLOSED.includes(status)) return { status: 'closed', code: String(json['code']) }
  if (status !== 200) {
    throw new Error(`GET of submission ${submissionId} returned ${status}: ${JSON.stringify(json)}`)
  }
  if (json['status'] === 'queued' || json['status'] === 'broadcast')
    return { status: 'pending', submissionId }
  if (json['status'] !== 'rejected') return json as Told
  const { chainCode, ...error } = json['error'] as { chainCode: number; codespace: string; message: string }
  return { ...json, status: 'rejected', error: { ...error, code: chainCode } }
}

export async function decided(url: string, answer: Told): Promise<Told> {
  if (answer.status !== 'pending') return answer
  return until(async () => {
    const present = await look(url, answer.submissionId)
    return present.status !== 'pending' && present
  }, `the chain has decided ${answer.submissionId}`)
}

/** Reads a response. @returns undefined if the connection breaks before it is complete */
async function answerOf(sent: Promise<Response>) {
  try {
    const response = await sent
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  } catch {
    return undefined
  }
}
