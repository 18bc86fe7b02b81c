import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Pool } from 'undici'
import { contradictions, readChainOverRpc, type Told } from '../../test/helpers/oracle/index.ts'
import { ownRequest } from '../../test/helpers/transfer.ts'
import { PATIENCE_MS } from '../../test/helpers/until.ts'
import type { BlockFacts, Network } from './processes/network.ts'
import type { Server } from './processes/server.ts'
import { percentile } from './statistics.ts'

/** Delay between client starts. It keeps the listen backlog from overflowing. */
const START_MS = 1

/** How long a client waits before it retries a submission without a result. */
const PAUSE_MS = 100

/** How many contradictions to print. */
const SHOWN = 20

const HEADERS = { 'content-type': 'application/json' }

const Text = Type.String()
const Count = Type.Number()
/** The response to a submission that the chain has executed. */
const Committed = Type.Object({
  submissionId: Text,
  txId: Count,
  transactionHash: Text,
  height: Count,
  gasUsed: Count,
  gasWanted: Count,
  events: Type.Array(
    Type.Object({ type: Text, attributes: Type.Array(Type.Object({ key: Text, value: Text })) })
  )
})

/** The outcome of one submission. */
export interface Outcome {
  /** The height of the submission's block. Undefined if the submission was not committed. */
  height?: number
  /** Why the submission was not committed. */
  reason?: string
  /** The feeId, if the submission was sent to the service. */
  feeId?: string
  told?: Extract<Told, { status: 'committed' }>
  /** How often the client retried, because there was no result yet or after an error. */
  repeats?: number
}

/** An outcome with its times in milliseconds since the epoch. */
export interface Answer extends Outcome {
  sentAt: number
  answeredAt: number
}

/** Submits one transfer with a new feeId. */
export type Submit = () => Promise<Outcome>

/** Runs clients that each submit one transfer after another while `more` returns true. */
export async function runClients(count: number, submit: Submit, more: (answers: Answer[]) => boolean) {
  const answers: Answer[] = []
  async function client(_: unknown, index: number): Promise<void> {
    await delay(index * START_MS)
    while (more(answers)) {
      const sentAt = Date.now()
      answers.push({ ...(await submit()), sentAt, answeredAt: Date.now() })
    }
  }
  await Promise.all(Array.from({ length: count }, client))
  return answers
}

/** Returns a function that returns true for its first `count` calls, then false. */
export function times(count: number): () => boolean {
  let left = count
  return () => left-- > 0
}

/**
 * Creates clients of the service, each with a keep-alive connection. Their requests go to the replicas in turn. Like
 * every client of the service, they retry a submission with the same feeId until it has a result.
 * @param servers the list may change at any time
 */
export function connect(
  servers: readonly Pick<Server, 'url'>[],
  clients: number
): { submit: Submit; close(): Promise<unknown> } {
  const pools = new Map<string, Pool>()
  let requests = 0

  function nextPool(): Pool {
    const { url = '' } = servers[requests % servers.length] ?? {}
    requests += 1
    const pool = pools.get(url) ?? new Pool(url, { connections: clients, connect: { timeout: PATIENCE_MS } })
    pools.set(url, pool)
    return pool
  }

  /** Sends a submission. @returns undefined if there is no result yet */
  async function ask(feeId: string): Promise<Outcome | undefined> {
    const { path, body: request } = ownRequest(feeId)
    const pool = nextPool()
    try {
      const options = {
        path,
        method: 'POST',
        headers: HEADERS,
        body: request,
        headersTimeout: PATIENCE_MS
      } as const
      const { statusCode, body } = await pool.request(options)
      const answer = await body.json()
      if (statusCode === 202 || statusCode === 503) return undefined
      if (statusCode !== 200 || !Value.Check(Committed, answer))
        return { reason: `HTTP ${statusCode}`, feeId }
      return { height: answer.height, feeId, told: { ...answer, status: 'committed' } }
    } catch {
      return undefined
    }
  }

  return {
    async submit() {
      const feeId = randomUUID()
      const deadline = Date.now() + PATIENCE_MS
      for (let repeats = 0; Date.now() < deadline; repeats += 1) {
        const outcome = await ask(feeId)
        if (outcome !== undefined) return { ...outcome, repeats }
        await delay(PAUSE_MS)
      }
      return { reason: 'no result', feeId }
    },
    close: () => Promise.all([...pools.values()].map(pool => pool.destroy()))
  }
}

export const isCommitted = ({ height }: Outcome) => height !== undefined

/**
 * Counts the submissions that were not committed and the responses that contradict the chain.
 * @param answers the outcomes of all submissions to this network
 */
export async function wrongOf({ rpc, address }: Network, answers: readonly Answer[]): Promise<number> {
  const failed = answers.filter(answer => !isCommitted(answer))
  const requests = answers.flatMap(({ feeId, told }) =>
    feeId === undefined ? [] : [{ feeId, ...ownRequest(feeId), told: told ? [told] : [] }]
  )
  const contradicted = contradictions(await readChainOverRpc(rpc, address), requests)
  const lines = [...failed.map(({ reason }) => `not committed: ${reason}`), ...contradicted]
  for (const line of lines.slice(0, SHOWN)) process.stderr.write(`${line}\n`)
  return lines.length
}

/** Returns the percentile of the time from a submission's block to its response, in milliseconds. */
export function afterBlock(answers: readonly Answer[], blocks: readonly BlockFacts[], part: number): number {
  const committedAt = new Map(blocks.map(block => [block.height, block.committedAt]))
  return percentile(
    answers.flatMap(({ height, answeredAt }) =>
      height === undefined ? [] : [answeredAt - (committedAt.get(height) ?? Number.NaN)]
    ),
    part
  )
}
