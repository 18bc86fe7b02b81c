import type { Clock } from '../../clock.ts'
import { HistoryPrunedError, NodeUnavailableError } from '../errors.ts'
import type { Question } from '../types.ts'
import { candidates } from './candidates.ts'
import { askInTurn } from './in-turn.ts'
import type { NodeState } from './node-state.ts'
import type { PoolHealth } from './pool-health.ts'

/** A node may be so many blocks wrong about its newest block: several machines may answer behind one URL. */
const MAX_OVERSTATED = 3

/** Whether an answer is used, or another node may have a better one. */
export type Verdict = 'good' | 'foreign' | 'missing'

/** A node and what it answered. */
export interface Read<T> {
  state: NodeState
  answer: T
}

export interface Reading<T> {
  question: Question
  ask(state: NodeState): Promise<T>
  /** By default every answer is good. */
  judge?(answer: T): Verdict
  /** The block that is asked for. */
  height?: number
}

/** What the nodes answered that had no good answer. */
interface Setbacks<T> {
  missing?: Read<T>
  foreign?: Read<T>
  pruned?: HistoryPrunedError
  failure?: unknown
}

/**
 * Reads of a pool.
 * @returns a function that puts a question to the first candidate, and to the next when that fails, takes long, follows
 *   another chain or does not have a block that the next one has. It throws HistoryPrunedError and NodeUnavailableError
 */
export function createReader(
  states: readonly NodeState[],
  health: PoolHealth,
  clock: Clock
): <T>(reading: Reading<T>) => Promise<Read<T>> {
  /** No node is left that may answer later: one that has only just failed may have what the others lack. */
  function isHopeless(height: number | undefined): boolean {
    return states.every(
      state =>
        state.isGivenUp('reading') ||
        state.trouble('reading', health.expectedChain)?.rank === 'foreign' ||
        (height !== undefined && state.hasPruned(height))
    )
  }

  function conclude<T>(
    { missing, foreign, pruned, failure }: Setbacks<T>,
    height: number | undefined
  ): Read<T> {
    if (missing) return missing
    if (isHopeless(height)) {
      if (foreign) return foreign
      if (pruned) throw pruned
    }
    if (failure) throw failure
    throw new NodeUnavailableError(states.map(({ name }) => name).join(', '), 'no node has an answer')
  }

  return async <T>({ question, ask, judge = () => 'good', height }: Reading<T>): Promise<Read<T>> => {
    const { expectedChain } = health
    const late = new Set<NodeState>()
    const setbacks: Setbacks<T> = {}

    /** @returns undefined when the answer is not good */
    async function attempt(state: NodeState): Promise<Read<T> | undefined> {
      // A node must have a block that it reported before the question was sent.
      const reported = state.height
      if (setbacks.missing && height !== undefined && reported < height) return undefined
      const answer = await ask(state)
      const verdict = judge(answer)
      if (verdict === 'missing' && height !== undefined && reported > height + MAX_OVERSTATED) {
        health.failed(state, question, `reported block ${reported} and does not have block ${height}`)
      } else if (!late.has(state)) health.answered(state, question)
      if (verdict === 'foreign' && question === 'block') {
        health.update(() => state.distrust('has blocks of another chain'))
      }
      if (verdict !== 'good') setbacks[verdict] = { state, answer }
      return verdict === 'good' ? { state, answer } : undefined
    }

    async function attemptOrFail(state: NodeState): Promise<Read<T> | undefined> {
      try {
        return await attempt(state)
      } catch (error) {
        if (error instanceof HistoryPrunedError) {
          health.update(() => state.prunedBelow(error.lowest))
          setbacks.pruned = error
        } else {
          health.failed(state, question, error)
          setbacks.failure = error
        }
        return undefined
      }
    }

    const asked = candidates(states, {
      use: 'reading',
      expectedChain,
      ...(height !== undefined && { height })
    })
    const settled = await askInTurn(asked, attemptOrFail, {
      clock,
      onLate(state) {
        late.add(state)
        health.failed(state, question, 'answers late')
      }
    })
    return settled ?? conclude(setbacks, height)
  }
}
