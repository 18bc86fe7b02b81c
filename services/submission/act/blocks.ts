import type { ChainBlock, NodeBlock } from '../../chain-client/index.ts'
import type { Chain } from '../contract.ts'
import type { ReadBlock } from '../decide/block.ts'
import { type BlockEvidence, type BlockMove, blockMove } from '../decide/block-move.ts'

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
  chain: Pick<Chain, 'crossCheck'>,
  height: number,
  isSame = (one: ChainBlock, other: ChainBlock) =>
    one.hash === other.hash && one.resultsHash === other.resultsHash
) =>
  chain.crossCheck<ChainBlock | undefined>({
    question: 'block',
    ask: ({ block }) => block(height),
    agree: (one, other) => one !== undefined && other !== undefined && isSame(one, other)
  })

/** Returns each node's last response. */
export async function blockOfEachNode(
  chain: Pick<Chain, 'crossCheck'>,
  height: number
): Promise<NodeBlock[]> {
  const { responses } = await agreedBlock(chain, height, () => false)
  const byNode = new Map(responses.map(({ node, answer }) => [node, answer && { ...answer, node }]))
  return [...byNode.values()].filter(block => block !== undefined)
}

/** Decides whether a block can be applied. Calls `find` for missing evidence. */
export async function judgeBlock(
  start: BlockEvidence,
  read: (block: NodeBlock) => ReadBlock,
  find: (about: 'next' | 'otherNodes', evidence: BlockEvidence) => Promise<Partial<BlockEvidence>>
): Promise<Exclude<BlockMove, { do: 'ask' }>> {
  let evidence = start
  let move = blockMove(evidence, read)
  while (move.do === 'ask') {
    evidence = { ...evidence, ...(await find(move.about, evidence)) }
    move = blockMove(evidence, read)
  }
  return move
}
