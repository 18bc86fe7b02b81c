import type { ChainBlock } from '../../chain-client/index.ts'
import type { EngineContext } from '../runtime/context.ts'
import { ForeignChainError } from '../state/signer-state.ts'
import type { SignerState } from '../store/types.ts'
import { resolveSlots } from './outcomes.ts'

/** The pause between two requests for the next block, unless a new block wakes the follower. */
const POLL_MS = 500

/** A block must follow the last applied block on the same chain. */
function assertFollows(block: ChainBlock, signer: SignerState): void {
  if (block.chainId !== signer.chainId) {
    throw new ForeignChainError(`the node follows ${block.chainId}, the store belongs to ${signer.chainId}`)
  }
  if (block.previousHash !== signer.cursorHash) {
    throw new ForeignChainError(
      `block ${block.height} of the node does not follow block ${signer.cursorHeight} that was read before: ` +
        'the chain was restarted or the node is on a fork'
    )
  }
}

/**
 * Reads every block after the cursor, once and in order, and applies its results to the wallet's slots.
 * @returns a loop step
 */
export function createFollower(
  engine: EngineContext,
  events: { onBlock: () => void; onCaughtUp: () => void }
): () => Promise<number> {
  const { store, chain, blocks, slots, wallet, log } = engine
  /** Reaching this height counts as caught up: a fast chain may always be some blocks ahead. */
  let heightAtStart: number | undefined

  return async () => {
    const signer = engine.signer()
    heightAtStart ??= (await chain.status()).height
    const block = await blocks.next(signer.cursorHeight + 1)
    if (!block || signer.cursorHeight >= heightAtStart) events.onCaughtUp()
    if (!block) return POLL_MS
    assertFollows(block, signer)
    const { height, hash } = block
    const settled = await engine.withSlotLock(async () => {
      const resolutions = resolveSlots(block, slots, wallet.address)
      const decided = await store.applyBlock({ height, hash, resolutions })
      for (const { sequence, transactionHash, origin, outcomes } of resolutions) {
        slots.remove(sequence)
        log.info(
          { height, sequence, hash: transactionHash, origin, submissions: outcomes.length },
          'slot resolved'
        )
      }
      const passed = resolutions.map(({ sequence }) => sequence + 1)
      const nextSequence = Math.max(engine.signer().nextSequence, ...passed)
      engine.setSigner({ ...engine.signer(), cursorHeight: height, cursorHash: hash, nextSequence })
      return decided
    })
    engine.settle(settled)
    events.onBlock()
    return 0
  }
}
