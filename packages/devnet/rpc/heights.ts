import type { Block } from '../chain/blocks/block-store.ts'
import type { Chain } from '../chain/chain.ts'

/**
 * Returns the requested height, or the latest if none is given.
 * @param latest the highest valid height
 * @throws Error with CometBFT's message when the height does not exist or is pruned
 */
export function resolveHeight({ base }: Chain, latest: number, height: number | undefined): number {
  if (height === undefined) return latest
  if (height <= 0) throw new Error(`height must be greater than 0, but got ${height}`)
  if (height > latest) {
    throw new Error(`height ${height} must be less than or equal to the current blockchain height ${latest}`)
  }
  if (height < base) throw new Error(`height ${height} is not available, lowest height is ${base}`)
  return height
}

/** Returns the requested block. @throws as `resolveHeight` */
export function resolveBlock(chain: Chain, height: number | undefined): Block {
  const resolved = resolveHeight(chain, chain.height, height)
  const block = chain.block(resolved)
  if (block === undefined) throw new Error(`height ${resolved} is not available`)
  return block
}
