import { HistoryPrunedError, NodeUnavailableError } from '../../chain-client/index.ts'
import { unknownRequests } from '../following/wallet-requests.ts'
import type { EngineContext } from '../runtime/context.ts'
import { ForeignChainError } from '../state/signer-state.ts'
import type { SignerState } from '../store/types.ts'

/** Blocks that are requested at once. */
const BLOCKS_AT_ONCE = 16

/**
 * Looks back over the chain before a new store begins at the block of the wallet's account: what the wallet has executed is
 * adopted, so that a retry gets its result (interface 7.23). Each block must have the hash that the one after it names.
 * @returns a step, which reads some blocks, the newest first. It resolves with true at the bound, and where no node has an
 *   earlier block. It throws NodeUnavailableError, and ForeignChainError when the nodes contradict each other
 */
export function createLookBack(
  { chain, store, wallet, identify, settings, impediments, log }: EngineContext,
  { nextSequence, cursorHeight, cursorHash }: SignerState
): () => Promise<boolean> {
  const depth = nextSequence > 0 ? settings.lookBackBlocks : 0
  const lowest = Math.max(1, cursorHeight - depth + 1)
  let height = cursorHeight
  let hash: string | undefined = cursorHash
  let adopted = 0
  if (depth > 0) {
    const reason = `a new store: what the wallet has executed is read from the blocks ${lowest} to ${cursorHeight}`
    impediments.raise('looking-back', reason)
  }

  async function readNext(asked: ReturnType<typeof chain.block>): Promise<void> {
    const block = await asked
    if (!block) throw new NodeUnavailableError('of the pool', `no node has block ${height} at present`)
    if (block.hash !== hash) {
      const error = new ForeignChainError(
        `block ${height} of the node is not the one that the next block follows`
      )
      chain.distrust(block.node, error.message)
      throw error
    }
    const requests = unknownRequests(block, { address: wallet.address, identify, isKnown: () => false })
    if (requests.length > 0) await store.adopt(requests)
    adopted += requests.length
    height -= 1
    hash = block.previousHash
  }

  function finish(): true {
    if (depth > 0) log.info({ from: height + 1, to: cursorHeight, adopted }, 'looked back over the chain')
    return true
  }

  return async () => {
    const count = Math.min(BLOCKS_AT_ONCE, height - lowest + 1)
    const asked = Array.from({ length: count }, (_, index) => chain.block(height - index))
    for (const request of asked) request.catch(() => {})
    try {
      for (const request of asked) await readNext(request)
    } catch (error) {
      // No node has this block, nor any before it.
      if (error instanceof HistoryPrunedError) return finish()
      throw error
    }
    return height < lowest && finish()
  }
}
