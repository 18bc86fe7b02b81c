import type { PoolBlock } from '../../chain-client/index.ts'
import type { EngineContext } from '../runtime/context.ts'
import { ForeignChainError } from '../state/signer-state.ts'
import type { SignerState } from '../store/types.ts'
import { resolveSlots } from './outcomes.ts'

/** The pause between two requests for the next block, unless a new block wakes the follower. */
const POLL_MS = 500

/** A block must follow the last applied block on the same chain. @returns the error of one that does not */
function foreignBlock(block: PoolBlock, signer: SignerState): ForeignChainError | undefined {
  if (block.chainId !== signer.chainId) {
    return new ForeignChainError(`the node follows ${block.chainId}, the store belongs to ${signer.chainId}`)
  }
  if (block.previousHash !== signer.cursorHash) {
    return new ForeignChainError(
      `block ${block.height} of the node does not follow block ${signer.cursorHeight} that was read before: ` +
        'the chain was restarted or the node is on a fork'
    )
  }
  return undefined
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

  async function apply(block: PoolBlock): Promise<void> {
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
  }

  /** Asks again at once, where another node can answer. @throws the error where none can */
  function refuse(block: PoolBlock, error: ForeignChainError): number {
    blocks.forget()
    if (chain.distrust(block.node, error.message)) return 0
    throw error
  }

  return async () => {
    const { cursorHeight } = engine.signer()
    heightAtStart ??= (await chain.status()).height
    const run = await blocks.next(cursorHeight + 1)
    if (run.length === 0 || cursorHeight >= heightAtStart) events.onCaughtUp()
    if (run.length === 0) return POLL_MS
    for (const block of run) {
      const error = foreignBlock(block, engine.signer())
      if (error) return refuse(block, error)
      await apply(block)
    }
    return 0
  }
}
