import { within } from '../../async/within.ts'
import type { Clock } from '../../clock.ts'
import { HistoryPrunedError, NodeUnavailableError } from '../errors.ts'
import type { Question } from '../types.ts'
import { candidates, type PooledNode } from './node-health.ts'

/** How long a node is waited for before the next one is asked as well. */
const IMPATIENCE_MS = 2000

/** A node may be wrong about its newest block by this much: several machines may answer behind one URL. */
const MAX_OVERSTATED = 3

interface Read<T> {
  from: PooledNode
  answer: T
}

/** The first of these with a result; undefined when none has one. */
const firstOf = <T>(attempts: readonly Promise<T | undefined>[]): Promise<T | undefined> =>
  Promise.any(attempts.map(async attempt => (await attempt) ?? Promise.reject())).catch(() => undefined)

/**
 * Reads of a pool.
 * @param isForeign whether an answer is from another chain than the expected one
 * @returns a function that asks the first candidate, and the next one when that fails, is late, follows another chain or
 *   does not have a block that the next one has. A late answer still counts when it is the first.
 *   It throws HistoryPrunedError and NodeUnavailableError
 */
export function createReader(
  nodes: readonly PooledNode[],
  clock: Clock,
  isForeign: (answer: unknown) => boolean
) {
  /** No node is left that may answer later: one that has only just failed may have what the others lack. */
  const isHopeless = (height = Number.POSITIVE_INFINITY): boolean =>
    nodes.every(
      node =>
        node.isGivenUp('reading') || node.trouble('reading')?.rank === 'foreign' || node.hasPruned(height)
    )

  /** @param height the requested block */
  return async <T>(
    question: Question,
    work: (node: PooledNode) => Promise<T>,
    height?: number
  ): Promise<Read<T>> => {
    let missing: Read<T> | undefined
    let foreign: Read<T> | undefined
    let failure: unknown
    let pruned: HistoryPrunedError | undefined

    /** @returns undefined unless the answer is good */
    async function attempt(from: PooledNode): Promise<Read<T> | undefined> {
      // A node must have a block that it reported before it was asked.
      const reported = from.height
      if (missing && height !== undefined && reported < height) return undefined
      try {
        const answer = await work(from)
        if (isForeign(answer)) {
          foreign = { from, answer }
          if (question === 'block') from.distrust('has blocks of another chain')
        } else if (answer === undefined && height !== undefined) {
          missing = { from, answer }
          if (reported > height + MAX_OVERSTATED)
            from.failed(question, `reported block ${reported} and does not have block ${height}`)
        } else return { from, answer }
      } catch (error) {
        if (error instanceof HistoryPrunedError) pruned = error
        else failure = error
      }
      return undefined
    }

    async function askInTurn(): Promise<Read<T> | undefined> {
      const attempts: Promise<Read<T> | undefined>[] = []
      const [last, ...others] = candidates(nodes, 'reading', height).reverse()
      for (const node of others.reverse()) {
        const latest = attempt(node)
        attempts.push(latest)
        const late = () => node.failed(question, 'answers late')
        const found = await within(IMPATIENCE_MS, Promise.race([firstOf(attempts), latest]), late, clock)
        if (found) return found
      }
      return firstOf(last ? [...attempts, attempt(last)] : attempts)
    }

    const found = (await askInTurn()) ?? missing
    if (found) return found
    if (isHopeless(height)) {
      if (foreign) return foreign
      if (pruned) throw pruned
    }
    throw (
      failure ?? new NodeUnavailableError(nodes.map(({ name }) => name).join(', '), 'no node has an answer')
    )
  }
}
