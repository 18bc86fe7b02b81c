import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Pool } from 'undici'
import { submitBody } from '../../test/helpers/transfer.ts'

/** Thousands connect at once, to a server that has other work. */
const CONNECT_TIMEOUT_MS = 60_000

/** Between the starts of two clients: a listening socket has only so much room for who is not accepted yet. */
const START_MS = 1

const HEADERS = { 'content-type': 'application/json' }

const Committed = Type.Object({ txId: Type.Number(), height: Type.Number() })

/** What came of one submission; times in milliseconds since the epoch. */
export interface Answer {
  sentAt: number
  answeredAt: number
  /** How it ended: `committed`, or why not. */
  outcome: string
  /** Of its block, when it was committed. */
  height?: number
  /** The chain's transaction id, where the answer tells it. */
  txId?: number
}

/** Submits one transfer with a fee id of its own. */
export type Submit = () => Promise<Omit<Answer, 'sentAt' | 'answeredAt'>>

/**
 * Clients that each submit one transfer after the other, at once when the answer to the one before is there, as long
 * as `more` says so.
 */
export async function runClients(count: number, submit: Submit, more: (answers: Answer[]) => boolean) {
  const answers: Answer[] = []
  async function client(_: unknown, index: number): Promise<void> {
    await delay(index * START_MS)
    while (more(answers)) {
      const sentAt = Date.now()
      const result = await submit()
      answers.push({ ...result, sentAt, answeredAt: Date.now() })
    }
  }
  await Promise.all(Array.from({ length: count }, client))
  return answers
}

/** Goes on for that long. */
export function during(ms: number): () => boolean {
  const end = Date.now() + ms
  return () => Date.now() < end
}

/** Submits over HTTP, with a lasting connection for each client. */
export function serviceClients(url: string, count: number): { submit: Submit; close(): Promise<void> } {
  const pool = new Pool(url, { connections: count, connect: { timeout: CONNECT_TIMEOUT_MS } })

  async function post(): ReturnType<Submit> {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/submit',
      headers: HEADERS,
      body: submitBody(randomUUID())
    })
    const answer = await body.json()
    if (statusCode !== 200 || !Value.Check(Committed, answer)) return { outcome: `HTTP ${statusCode}` }
    return { outcome: 'committed', height: answer.height, txId: answer.txId }
  }

  return {
    submit: () => post().catch(error => ({ outcome: `no answer: ${error.code ?? error}` })),
    close: () => pool.close()
  }
}

export const isCommitted = ({ outcome }: Answer) => outcome === 'committed'

/** How many answers there are of each outcome. */
export function countOutcomes(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
