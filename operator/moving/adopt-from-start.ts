import { type ChainClient, HistoryPrunedError } from '../../services/chain-client/index.ts'
import type { OwnedStore } from '../../services/submission/store/operator-store.ts'
import { type Adopter, createAdopter } from '../chain/adopter.ts'
import { createBlocks } from '../chain/blocks.ts'
import type { Context } from '../context.ts'
import { OperatorError } from '../errors.ts'

/**
 * What this store's own server, or a lost one, has executed on the new chain already. Its first blocks may be deleted too:
 * the lowest that is left is the first to read.
 */
export async function adoptFromStart(
  context: Context,
  owned: OwnedStore,
  chain: ChainClient,
  { chainId, newest }: { chainId: string; newest: number }
): Promise<Adopter> {
  const adopter = await createAdopter(owned, context.config.SERVICE_BRAND)
  const blocks = createBlocks(chain)
  for (let height = await lowestOf(chain); height <= newest; height++) {
    const block = await blocks.next(height)
    if (block === undefined) throw new OperatorError(`the node has no block ${height}`)
    if (block.chainId === chainId) await adopter.adopt(block, () => false)
  }
  const { settled, recorded } = adopter.findings
  if (settled + recorded > 0) {
    context.print(`The new chain has executed ${settled} unsettled submissions and ${recorded} unknown ones.`)
  }
  return adopter
}

async function lowestOf(chain: ChainClient): Promise<number> {
  try {
    await chain.block(1)
    return 1
  } catch (error) {
    if (error instanceof HistoryPrunedError) return error.lowest
    throw error
  }
}
