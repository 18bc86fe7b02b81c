import {
  type ChainBlock,
  HistoryPrunedError,
  type NodeBlock,
  NodeUnavailableError,
  type PoolBlock
} from '../../chain-client/index.ts'
import type { WalletState } from '../contract.ts'
import { readBlock } from '../decide/block.ts'
import type { BlockEvidence } from '../decide/block-move.ts'
import { createSlotTable } from '../slots.ts'
import { blockOfEachNode, ForeignChainError, judgeBlock, NodesDisagreeError } from './blocks.ts'
import type { EngineContext } from './context.ts'

const BLOCKS_AT_ONCE = 16

/**
 * Reads the chain backwards from the block at which a new store begins. Adopts the requests that the wallet has
 * executed, so that a retry gets the existing result (interface 7.23). The next block's header must confirm each block
 * and its results; the results of the first block are confirmed already. A second node must confirm anything that only
 * events show.
 * @returns a function that reads a few more blocks, and returns true after the lowest block that it needs or that nodes
 *   have. It throws NodeUnavailableError, ForeignChainError if a block is not the next one's predecessor, or
 *   NodesDisagreeError
 */
export function createLookBack(
  { chain, store, wallet, identify, settings, blockers, log }: EngineContext,
  { nextSequence, cursorHeight, cursorHash, cursorResultsHash }: WalletState
): () => Promise<boolean> {
  const depth = nextSequence > 0 ? settings.lookBackBlocks : 0
  const lowest = Math.max(1, cursorHeight - depth + 1)
  let height = cursorHeight
  let hash: string | undefined = cursorHash
  let resultsHash = cursorResultsHash
  let adopted = 0
  if (depth > 0) {
    const reason = `the store is new: reading what the wallet has executed from blocks ${lowest} to ${cursorHeight}`
    blockers.raise('looking-back', reason)
  }

  async function readNext(asked: ReturnType<typeof chain.block>): Promise<void> {
    const block = await asked
    if (!block) throw new NodeUnavailableError(undefined, `none has block ${height}`)
    if (block.hash !== hash) {
      const wrong = `the node's block ${height} is not the predecessor of the next block`
      chain.quarantine(block.node, wrong)
      throw new ForeignChainError(wrong)
    }
    const move = await decide(block)
    if (move.do !== 'apply')
      throw new NodesDisagreeError(
        move.do === 'raise' ? move.reason : 'no node has results that match the next header'
      )
    const { adoptions } = read(move.block)
    if (adoptions.length > 0) await store.adopt(adoptions)
    adopted += adoptions.filter(({ execution }) => execution !== undefined).length
    height -= 1
    hash = block.previousHash
    resultsHash = block.lastResultsHash
  }

  const read = (block: ChainBlock) =>
    readBlock(block, createSlotTable(), { ...wallet, identify, nextSequence })

  async function decide(block: PoolBlock) {
    const sameBlock = (one: NodeBlock | undefined) => (one?.hash === block.hash ? [one] : [])
    const evidence: BlockEvidence = {
      responses: [block, ...sameBlock(block.second)],
      // The block hashes link this block to one on which two nodes agreed.
      next: { previousHash: block.hash, lastResultsHash: resultsHash, isByTwo: true },
      isNewest: false,
      isOnlyNode: chain.health().length === 1,
      isComplete: false
    }
    const move = await judgeBlock(evidence, read, async () => ({
      responses: (await blockOfEachNode(chain, block.height)).flatMap(sameBlock),
      isComplete: true
    }))
    const wrong = 'wrong' in move ? move.wrong : []
    for (const node of wrong)
      chain.quarantine(node, `its results of block ${block.height} differ from the chain`)
    return move
  }

  function finish(): true {
    if (depth > 0) log.info({ from: height + 1, to: cursorHeight, adopted }, 'look-back finished')
    return true
  }

  return async () => {
    const count = Math.min(BLOCKS_AT_ONCE, height - lowest + 1)
    const asked = Array.from({ length: count }, (_, index) => chain.block(height - index))
    for (const request of asked) request.catch(() => {})
    try {
      for (const request of asked) await readNext(request)
    } catch (error) {
      if (error instanceof HistoryPrunedError) return finish()
      throw error
    }
    return height < lowest && finish()
  }
}
