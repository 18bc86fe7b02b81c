import type { Clock } from '../../clock.ts'
import { HistoryPrunedError, NodeUnavailableError } from '../errors.ts'
import type { Question } from '../types.ts'
import { candidates, type PooledNode } from './node-health.ts'

/** How long a node is waited for before the next one is asked as well. */
const IMPATIENCE_MS = 2000

/** A node may be so many blocks wrong about its newest block: several machines may answer behind one URL. */
const MAX_OVERSTATED = 3

/** Whether an answer is used, or another node may have a better one. */
export type Verdict = 'good' | 'foreign' | 'missing'

/** A node and what it answered. */
interface Read<T> {
  from: PooledNode
  answer: T
}

interface Reading<T> {
  question: Question
  ask(node: PooledNode): Promise<T>
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

/** The first of these that has a result; undefined when none has. */
const firstOf = <T>(attempts: readonly Promise<T | undefined>[]): Promise<T | undefined> =>
  Promise.any(attempts.map(async attempt => (await attempt) ?? Promise.reject())).catch(() => undefined)

/**
 * Reads of a pool.
 * @returns a function that puts a question to the first candidate, and to the next when that fails, takes long, follows
 *   another chain or does not have a block that the next one has. The answer of a slow one still counts when it is the first.
 *   It throws HistoryPrunedError and NodeUnavailableError
 */
export function createReader(
  nodes: readonly PooledNode[],
  clock: Clock
): <T>(reading: Reading<T>) => Promise<Read<T>> {
  /** No node is left that may answer later: one that has only just failed may have what the others lack. */
  const isHopeless = (height = Number.POSITIVE_INFINITY): boolean =>
    nodes.every(
      node =>
        node.isGivenUp('reading') || node.trouble('reading')?.rank === 'foreign' || node.hasPruned(height)
    )

  return async <T>({ question, ask, judge = () => 'good', height }: Reading<T>): Promise<Read<T>> => {
    const late = new Set<PooledNode>()
    const setbacks: Setbacks<T> = {}

    /** @returns undefined when the answer is not good */
    async function attempt(node: PooledNode): Promise<Read<T> | undefined> {
      // A node must have a block that it reported before the question was sent.
      const reported = node.height
      if (setbacks.missing && height !== undefined && reported < height) return undefined
      const answer = await ask(node)
      const verdict = judge(answer)
      if (verdict === 'missing' && height !== undefined && reported > height + MAX_OVERSTATED) {
        node.failed(question, `reported block ${reported} and does not have block ${height}`)
      } else if (!late.has(node)) node.answered(question)
      if (verdict === 'foreign' && question === 'block') node.distrust('has blocks of another chain')
      if (verdict !== 'good') setbacks[verdict] = { from: node, answer }
      return verdict === 'good' ? { from: node, answer } : undefined
    }

    function fail(node: PooledNode, error: unknown): undefined {
      if (error instanceof HistoryPrunedError) {
        node.prunedBelow(error.lowest)
        setbacks.pruned = error
      } else {
        node.failed(question, error)
        setbacks.failure = error
      }
    }

    async function askInTurn(): Promise<Read<T> | undefined> {
      const asked = candidates(nodes, 'reading', height)
      const attempts: Promise<Read<T> | undefined>[] = []
      for (const node of asked) {
        const last = attempt(node).catch(error => fail(node, error))
        attempts.push(last)
        if (attempts.length === asked.length) break
        let cancel = () => {}
        const isLate = new Promise<undefined>(resolve => {
          cancel = clock.after(IMPATIENCE_MS, () => {
            late.add(node)
            node.failed(question, 'answers late')
            resolve(undefined)
          })
        })
        const found = await Promise.race([firstOf(attempts), last, isLate]).finally(cancel)
        if (found) return found
      }
      return firstOf(attempts)
    }

    const settled = (await askInTurn()) ?? setbacks.missing
    if (settled) return settled
    const { foreign, pruned, failure } = setbacks
    if (isHopeless(height)) {
      if (foreign) return foreign
      if (pruned) throw pruned
    }
    if (failure) throw failure
    throw new NodeUnavailableError(nodes.map(({ name }) => name).join(', '), 'no node has an answer')
  }
}
