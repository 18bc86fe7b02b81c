import { isIgnored } from '../decide/slot.ts'
import type { EngineContext } from './context.ts'

/**
 * Reports nodes that accept transactions but do not forward them. The broadcaster sends those transactions to the other
 * nodes as well.
 * @returns a function to call after each block
 */
export function createInclusionWatch(engine: EngineContext): () => void {
  const { chain, slots, blocks, blockers, clock, walletState } = engine
  let waiting = { sequence: -1, height: 0, since: 0 }

  return () => {
    const slot = slots.first()
    if (slot?.sequence !== waiting.sequence) blockers.clear('transactions-ignored')
    // Nodes cannot have accepted a transaction that was not sent yet.
    if (!slot || slot.timesSent === 0) return
    const { sequence } = slot
    const { cursorHeight } = walletState()
    if (sequence !== waiting.sequence) {
      waiting = { sequence, height: Math.max(cursorHeight, blocks.newest), since: clock.elapsed() }
    } else if (isIgnored(cursorHeight - waiting.height, clock.elapsed() - waiting.since)) {
      const hosts = chain.health().flatMap(({ host, sending }) => (sending ? [host] : []))
      const { hash } = slot.signedTxs.at(-1) ?? {}
      blockers.raise(
        'transactions-ignored',
        `${hosts.join(', ') || 'a node'} accepted transaction ${hash}, but blocks ${waiting.height + 1} to ${cursorHeight} do not contain it`
      )
    }
  }
}
