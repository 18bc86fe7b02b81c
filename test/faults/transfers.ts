import { setTimeout as delay } from 'node:timers/promises'
import { specialTargets } from '../../devnet/modules/transfer/special-addresses.ts'

/** What a client learned of a transfer that it sent. */
export type Answer =
  | { status: 'committed'; submissionId: string; txId: number; transactionHash: string; height: number }
  /** Taken, not decided yet. */
  | { status: 'pending'; submissionId: string }
  /** Refused by the chain, for good. */
  | { status: 'rejected' }
  /** Not taken: the service says so. */
  | { status: 'closed' }
  /** The connection broke: nobody knows. */
  | { status: 'lost' }

const headers = { 'content-type': 'application/json' }

/** How long a client waits before it asks again. */
export const PAUSE_MS = 20

/**
 * The body of a submission in the widget's form.
 * @param refused whether the chain is to refuse it
 */
export function transferBody(feeId: string, refused = false): string {
  return JSON.stringify({
    originAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
    originChain: 'ETH',
    originSymbol: 'USDT',
    targetAddress: refused ? specialTargets.failedMessage : '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
    targetChain: 'POL',
    targetSymbol: 'USDC',
    amount: '100000000',
    fee: '50000',
    decimals: 6,
    options: JSON.stringify({ feeId, signature: '0xsigned' })
  })
}

/**
 * Sends a transfer once, as a widget does.
 * @throws Error for an answer that no client should ever get
 */
export async function send(url: string, feeId: string, refused = false): Promise<Answer> {
  const answer = await ask(`${url}/submit`, { method: 'POST', headers, body: transferBody(feeId, refused) })
  if (answer === undefined) return { status: 'lost' }
  const { status, json } = answer
  if (status === 200) return { ...json, status: 'committed' } as Answer
  if (status === 202) return { ...json, status: 'pending' } as Answer
  if (status === 400 && json['code'] === 'CHAIN_REJECTED') return { status: 'rejected' }
  if (status === 503) return { status: 'closed' }
  throw new Error(`POST /submit of ${feeId} was answered with ${status}: ${JSON.stringify(json)}`)
}

/**
 * Asks what became of a submission.
 * @throws Error for an answer that no client should ever get, such as that it does not exist
 */
export async function look(url: string, submissionId: string): Promise<Answer> {
  const answer = await ask(`${url}/submissions/${submissionId}`)
  if (answer === undefined) return { status: 'lost' }
  const { status, json } = answer
  if (status !== 200) {
    throw new Error(`GET of submission ${submissionId} was answered with ${status}: ${JSON.stringify(json)}`)
  }
  if (json['status'] === 'queued' || json['status'] === 'broadcast')
    return { status: 'pending', submissionId }
  return json as Answer
}

/** Asks until the chain has decided; the server must stay. */
export async function decided(url: string, answer: Answer): Promise<Answer> {
  let present = answer
  while (present.status === 'pending') {
    await delay(PAUSE_MS)
    present = await look(url, present.submissionId)
  }
  return present
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
