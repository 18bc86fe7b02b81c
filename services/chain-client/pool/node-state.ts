import type { Clock } from '../../clock.ts'
import type { ChainNode, NodeHealth, NodeStatus, Question } from '../types.ts'
import { createRests } from './rests.ts'

/** Reading may go to one node while sending goes to another. Simulations depend on the mempool, as broadcasts do. */
export type Use = 'reading' | 'sending'

const QUESTIONS: Record<Use, readonly Question[]> = {
  reading: ['status', 'account', 'blockGasLimit', 'block'],
  sending: ['status', 'simulate', 'broadcast']
}

/** What a node that is asked this is used for. */
export const useOf = (question: Question): Use =>
  QUESTIONS.sending.includes(question) ? 'sending' : 'reading'

/** A node that is further behind the others is passed over. */
const MAX_LAG = 3

/** A node that failed so often in a row is not waited for. */
const GIVEN_UP_FAILURES = 3

/** A node that has had no new block for so long stands still. */
const STANDSTILL_MS = 30_000

const FIRST_DISTRUST_MS = 30_000
const LONGEST_DISTRUST_MS = 600_000

/** Why a node is passed over, the least serious first. */
export type Trouble = { rank: 'behind' | 'resting' | 'foreign'; reason: string }

/** What the pool knows of one node. */
export interface NodeState {
  readonly name: string
  readonly node: ChainNode
  /** The newest block that the node is known to have; 0 before its first answer. */
  readonly height: number
  /** Remembers a status. @param expected the newest height of the other nodes when the question was sent */
  reported(status: NodeStatus, expected: number): void
  /** The node has this block. */
  has(height: number): void
  /** The node has deleted the blocks below this one. */
  prunedBelow(height: number): void
  hasPruned(height: number): boolean
  failed(question: Question, reason: string): void
  answered(question: Question): void
  /** @returns false when the node was distrusted already */
  distrust(reason: string): boolean
  /** @param expectedChain undefined while no chain is expected */
  trouble(use: Use, expectedChain: string | undefined): Trouble | undefined
  /** It answers, and its newest block is recent: blocks that it does not have yet will come. */
  isGoingOn(expectedChain: string | undefined): boolean
  /** The node has failed several times in a row. */
  isGivenUp(use: Use): boolean
  /** The time on the clock at which its present rests end. */
  restsUntil(use: Use): number
  /** How long the node rests from questions about its status. */
  readonly statusRestMs: number
  health(expectedChain: string | undefined, newest: number): NodeHealth
}

export function createNodeState(node: ChainNode, name: string, clock: Clock): NodeState {
  const rests = createRests(clock)
  let status: NodeStatus | undefined
  let height = 0
  let earliestHeight = 1
  let expectedHeight = 0
  let blockIntervalMs: number | undefined
  /** When the node got its newest block, on the clock that does not go back, and that block. */
  let grewAt = 0
  let highest = 0
  let distrusted = { times: 0, until: 0, reason: '' }

  function has(seen: number): void {
    height = Math.max(height, seen)
    if (seen <= highest) return
    highest = seen
    grewAt = clock.elapsed()
  }

  const isDistrusted = () => clock.elapsed() < distrusted.until

  function trouble(use: Use, expectedChain: string | undefined): Trouble | undefined {
    if (isDistrusted()) return { rank: 'foreign', reason: distrusted.reason }
    if (expectedChain !== undefined && status && status.chainId !== expectedChain) {
      return { rank: 'foreign', reason: `follows ${status.chainId}, not ${expectedChain}` }
    }
    const rest = rests.reason(QUESTIONS[use])
    if (rest !== undefined) return { rank: 'resting', reason: rest }
    const lag = expectedHeight - height
    if (lag > MAX_LAG) return { rank: 'behind', reason: `is ${lag} blocks behind another node` }
    if (status?.catchingUp) return { rank: 'behind', reason: 'still reads the blocks of the past' }
    return undefined
  }

  return {
    name,
    node,
    get height() {
      return height
    },
    reported(next, expected) {
      const { blockTime, chainId } = next
      rests.statusCame()
      if (status && next.height > status.height) {
        blockIntervalMs = (blockTime - status.blockTime) / (next.height - status.height)
      }
      if (status?.chainId === chainId) has(next.height)
      // How long ago the block came is known from its header alone.
      else grewAt = clock.elapsed() - Math.max(0, clock.now() - blockTime)
      // Machines behind one URL differ by a few blocks; a node that is further back was wrong before.
      if (highest > next.height + MAX_LAG) highest = next.height
      highest = Math.max(highest, next.height)
      height = next.height
      earliestHeight = next.earliestHeight
      expectedHeight = expected
      status = next
    },
    has,
    prunedBelow(lowest) {
      earliestHeight = lowest
    },
    hasPruned: wanted => wanted < earliestHeight,
    failed: rests.failed,
    answered: rests.answered,
    distrust(reason) {
      if (isDistrusted()) return false
      const times = distrusted.times + 1
      const rest = Math.min(FIRST_DISTRUST_MS * 2 ** (times - 1), LONGEST_DISTRUST_MS)
      distrusted = { times, until: clock.elapsed() + rest, reason }
      return true
    },
    trouble,
    isGoingOn(expectedChain) {
      const rank = trouble('reading', expectedChain)?.rank ?? 'behind'
      if (status?.catchingUp || rank !== 'behind') return false
      return clock.elapsed() - grewAt <= STANDSTILL_MS
    },
    isGivenUp: use => rests.failures(QUESTIONS[use]) >= GIVEN_UP_FAILURES,
    restsUntil: use => rests.end(QUESTIONS[use]),
    get statusRestMs() {
      return rests.remaining('status')
    },
    health(expectedChain, newest) {
      const reading = trouble('reading', expectedChain)
      const sending = trouble('sending', expectedChain)
      const fault = (reading ?? sending)?.reason
      return {
        host: node.host,
        height: status && height,
        blockAgeMs: status && clock.elapsed() - grewAt,
        blockIntervalMs,
        lag: Math.max(0, newest - height),
        earliestHeight,
        reading: !reading,
        sending: !sending,
        ...(fault !== undefined && { fault })
      }
    }
  }
}
