import type { ChainBlock, NodeBlock, PoolBlock } from '../../chain-client/index.ts'
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
  if (block.previousHash !== before.hash) {
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
  isSame = (one: NodeBlock, other: NodeBlock) => one.hash === other.hash
) =>
  chain.agreement<NodeBlock | undefined>({
    question: 'block',
    async ask({ block, host: node }) {
      const found: ChainBlock | undefined = await block(height)
      return found && { ...found, node }
    },
    agree: (one, other) => one !== undefined && other !== undefined && isSame(one, other)
  })

/** The fields of an outcome that nodes must agree on. Error messages and other events may differ. */
const DECISIVE = [
  ['resolutions', 'sequence', 'transactionHash', 'origin', 'outcomes', 'submissionId', 'status', 'txId'],
  ['adoptions', 'execution']
].flat()

/** Returns whether two responses for a block lead to the same outcome. The results hash does not cover events. */
export function decideSame(
  one: NodeBlock,
  other: NodeBlock,
  outcomeOf: (block: NodeBlock) => object
): boolean {
  if (one.hash !== other.hash || one.resultsHash !== other.resultsHash) return false
  return JSON.stringify(outcomeOf(one), DECISIVE) === JSON.stringify(outcomeOf(other), DECISIVE)
}

/**
 * Determines which node's response for a block is wrong, and distrusts that node. A response is wrong if other nodes
 * outvote it, or if the next block contradicts it and two nodes agree on the next block (interface 19.18).
 * @returns false while the next block is awaited; true if the block can be read again immediately
 * @throws NodesDisagreeError if nothing shows which node is wrong, or if no trusted node is left
 */
export async function findWrongNode(
  chain: Chain,
  block: PoolBlock,
  isSame: (one: NodeBlock, other: NodeBlock) => boolean
): Promise<boolean> {
  const { height, witness } = block
  const answers = witness ? [block, witness] : [block]

  function passOver(isRight: (answer: NodeBlock) => boolean): boolean {
    const wrong = answers.filter(answer => !isRight(answer))
    const reason = `its block ${height}, or the results of that block, differ from the chain`
    const passedOver = wrong.filter(({ node }) => chain.distrust(node, reason))
    if (wrong.length > 0 && passedOver.length === 0)
      throw new NodesDisagreeError(`no trusted node is left: ${reason}`)
    return wrong.length > 0
  }

  const nextBlock = await agreedBlock(chain, height + 1)
  const [next] = nextBlock.agreed ?? []
  const fits = ({ hash, resultsHash }: NodeBlock) =>
    hash === next?.previousHash && resultsHash === next.lastResultsHash
  if (next && passOver(fits)) return true

  const [right] = (await agreedBlock(chain, height, isSame)).agreed ?? []
  if (right) return passOver(answer => isSame(answer, right)) || true
  if (nextBlock.opinions.every(({ answer }) => answer === undefined)) return false
  throw new NodesDisagreeError(
    `${answers.map(({ node }) => node).join(' and ')} report different blocks or results at height ${height}`
  )
}
