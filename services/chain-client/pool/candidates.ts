import type { NodeState, Trouble, Use } from './node-state.ts'

type Rank = Trouble['rank'] | 'pruned'

const RANKS: readonly Rank[] = ['behind', 'resting', 'pruned', 'foreign']

/**
 * The nodes that may confirm what another one answers, the best first. A node that is behind is one of them: another node
 * that overstates its height makes it appear so.
 */
export function witnesses(
  states: readonly NodeState[],
  { use, expectedChain }: { use: Use; expectedChain: string | undefined }
): NodeState[] {
  const well = candidates(states, { use, expectedChain })
  const behind = states.filter(state => state.trouble(use, expectedChain)?.rank === 'behind')
  return [...new Set([...well, ...behind])]
}

/**
 * The nodes that a question may be put to, the best first: those that are well, in the configured order. When none is,
 * all are, the least bad first; but nodes of another chain only when no other node is waited for.
 * @param states in the configured order
 * @param height the block that is asked for
 */
export function candidates(
  states: readonly NodeState[],
  { use, expectedChain, height }: { use: Use; expectedChain: string | undefined; height?: number }
): NodeState[] {
  const judged = states.map((state): { state: NodeState; rank: Rank | undefined } => {
    const isPruned = height !== undefined && state.hasPruned(height)
    const rank = state.trouble(use, expectedChain)?.rank ?? (isPruned ? 'pruned' : undefined)
    return { state, rank }
  })
  const well = judged.filter(({ rank }) => rank === undefined)
  if (well.length > 0) return well.map(({ state }) => state)

  const own = judged.filter(({ rank }) => rank !== 'foreign')
  const left = own.every(({ state }) => state.isGivenUp(use)) ? judged : own
  // Of two that rest, the one that failed earlier: so that they are asked by turns.
  return left
    .map(({ state, rank }) => ({
      state,
      badness: rank ? RANKS.indexOf(rank) : 0,
      end: state.restsUntil(use)
    }))
    .sort((a, b) => a.badness - b.badness || a.end - b.end)
    .map(({ state }) => state)
}
