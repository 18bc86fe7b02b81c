import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Pool } from 'undici'
import { submitBody } from '../../test/helpers/transfer.ts'
import type { BlockFacts } from '../processes/network.ts'

/** Generous, because thousands of clients connect to a busy server. */
const CONNECT_TIMEOUT_MS = 60_000

/** Pause between the starts of two clients, so that the backlog of the listening socket does not overflow. */
const START_MS = 1

const HEADERS = { 'content-type': 'application/json' }

const Committed = Type.Object({ submissionId: Type.String(), txId: Type.Number(), height: Type.Number() })

/** The result of one submission; times in milliseconds since the epoch. */
export interface Answer {
  sentAt: number
  answeredAt: number
  /** How it ended: `committed`, or why not. */
  outcome: string
  /** The height of its block, when it was committed. */
  height?: number
  /** The service's id, when it was committed. */
  submissionId?: string
  /** The chain's transaction id, when the answer has it. */
  txId?: number
}

/** Submits one transfer with a new feeId. */
export type Submit = () => Promise<Omit<Answer, 'sentAt' | 'answeredAt'>>

/**
 * Runs clients that each submit the next transfer as soon as the last one is answered, while `more` returns true.
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

/** Returns true for that long. */
export function during(ms: number): () => boolean {
  const end = Date.now() + ms
  return () => Date.now() < end
}

/** Clients that submit over HTTP, each with a keep-alive connection. Of several replicas each gets every next request. */
export function serviceClients(
  urls: readonly string[],
  count: number
): { submit: Submit; close(): Promise<unknown> } {
  const pools = urls.map(url => poolFor(url, count))
  let requests = 0

  return {
    async submit() {
      const pool = pools[requests % pools.length]
      requests += 1
      return pool === undefined ? { outcome: 'no replica' } : submitTo(pool)
    },
    close: () => Promise.all(pools.map(pool => pool.close()))
  }
}

/** A pool of connections to one replica. */
export function poolFor(url: string, connections: number): Pool {
  return new Pool(url, { connections, connect: { timeout: CONNECT_TIMEOUT_MS } })
}

/** Submits one transfer with a new feeId to one replica. */
export async function submitTo(pool: Pool): ReturnType<Submit> {
  try {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/submit',
      headers: HEADERS,
      body: submitBody(randomUUID())
    })
    const answer = await body.json()
    if (statusCode !== 200 || !Value.Check(Committed, answer)) return { outcome: `HTTP ${statusCode}` }
    const { submissionId, height, txId } = answer
    return { outcome: 'committed', submissionId, height, txId }
  } catch (error) {
    return { outcome: `no answer: ${codeOf(error)}` }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

export const isCommitted = ({ outcome }: Answer) => outcome === 'committed'

/** Counts the answers by outcome. */
export function countOutcomes(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** For each answer the milliseconds since the block that holds it was committed. */
export function afterBlock(answers: readonly Answer[], blocks: readonly BlockFacts[]): number[] {
  const times = new Map(blocks.map(({ height, committedAt }) => [height, committedAt]))
  return answers
    .filter(isCommitted)
    .map(({ answeredAt, height = 0 }) => answeredAt - (times.get(height) ?? Number.NaN))
}
