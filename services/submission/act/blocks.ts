import type { ChainBlock } from '../../chain-client/index.ts'
import type { Chain } from '../contract.ts'

/** The nodes contradict each other, or too few have responded, so it is unknown which one is right. */
export class NodesDisagreeError extends Error {
  override name = 'NodesDisagreeError'
}

export class ForeignChainError extends Error {
  override name = 'ForeignChainError'
}

export type Predecessor = Pick<ChainBlock, 'chainId' | 'height' | 'hash'>

/** Returns an error unless a block directly follows its predecessor on the same chain. */
export function discontinuity(block: ChainBlock, before: Predecessor): ForeignChainError | undefined {
  if (block.chainId !== before.chainId) {
    return new ForeignChainError(
      `the node is on chain ${block.chainId}, but the store belongs to chain ${before.chainId}`
    )
  }
  if ((block.previousHash ?? '') !== before.hash) {
    return new ForeignChainError(
      `the node's block ${block.height} does not follow block ${before.height}, which was processed before: ` +
        'the chain was restarted or the node is on a fork'
    )
  }
  return undefined
}

export const agreedBlock = (
  chain: Pick<Chain, 'agreement'>,
  height: number,
  isSame = (one: ChainBlock, other: ChainBlock) =>
    one.hash === other.hash && one.resultsHash === other.resultsHash
) =>
  chain.agreement<ChainBlock | undefined>({
    question: 'block',
    ask: ({ block }) => block(height),
    agree: (one, other) => one !== undefined && other !== undefined && isSame(one, other)
  })
