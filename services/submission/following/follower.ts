import type { ChainBlock } from '../../chain-client/index.ts'
import type { EngineContext } from '../runtime/context.ts'
import { ForeignChainError } from '../state/signer-state.ts'
import type { SignerState } from '../store/types.ts'
import { resolveSlots } from './outcomes.ts'

/** How often the follower asks for the next block when nothing wakes it. */
const POLL_MS = 500

/** A block must be the next link of the very chain whose blocks were applied before. */
function assertFollows(block: ChainBlock, signer: SignerState): void {
  if (block.chainId !== signer.chainId) {
    throw new ForeignChainError(`the node follows ${block.chainId}, the store belongs to ${signer.chainId}`)
  }
  if (block.previousHash !== signer.cursorHash) {
    throw new ForeignChainError(
      `block ${block.height} of the node does not follow block ${signer.cursorHeight} as it was read before: ` +
        'the chain was reset, or the node is on a fork'
    )
  }
}

/**
 * Reads every block after the cursor, once and in order, and applies what it says of the wallet's slots.
 * @returns a loop step
 */
export function createFollower(
  engine: EngineContext,
  events: { onBlock: () => void; onCaughtUp: () => void }
): () => Promise<number> {
  const { store, chain, blocks, slots, wallet, log } = engine
  /** What the node had when it was first asked. A chain that is always some blocks ahead is caught up with, too. */
  let heightAtStart: number | undefined

  return async () => {
    const signer = engine.signer()
    heightAtStart ??= (await chain.status()).height
    const block = await blocks.next(signer.cursorHeight + 1)
    if (!block || signer.cursorHeight >= heightAtStart) events.onCaughtUp()
    if (!block) return POLL_MS
    assertFollows(block, signer)
    const { height, hash } = block
    const settled = await engine.change(async () => {
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
      engine.moveSigner({ ...engine.signer(), cursorHeight: height, cursorHash: hash, nextSequence })
      return decided
    })
    engine.settle(settled)
    events.onBlock()
    return 0
  }
}
