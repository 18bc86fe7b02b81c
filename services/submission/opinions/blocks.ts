import type { ChainBlock, ChainClient, NodeBlock, PoolBlock } from '../../chain-client/index.ts'

/** The nodes contradict each other, or too few of them have responded, and nothing shows which is right. */
export class NodesDisagreeError extends Error {
  override name = 'NodesDisagreeError'
}

/** The node follows a chain other than the store's. */
export class ForeignChainError extends Error {
  override name = 'ForeignChainError'
}

/** The predecessor of a block: the cursor, or the block before it. */
export type Predecessor = Pick<ChainBlock, 'chainId' | 'height' | 'hash'>

/** @returns the error if the block does not follow on the same chain */
export function discontinuity(block: ChainBlock, before: Predecessor): ForeignChainError | undefined {
  if (block.chainId !== before.chainId) {
    return new ForeignChainError(`the node follows ${block.chainId}, the store belongs to ${before.chainId}`)
  }
  if (block.previousHash !== before.hash) {
    return new ForeignChainError(
      `block ${block.height} of the node does not follow block ${before.height} that was read before: ` +
        'the chain was restarted or the node is on a fork'
    )
  }
  return undefined
}

/** The block at a height, as agreed by two nodes. */
export const agreedBlock = (
  chain: Pick<ChainClient, 'agreement'>,
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

/** The fields of an outcome that decide. Texts and other events may differ between nodes. */
const DECISIVE = [
  ['resolutions', 'sequence', 'transactionHash', 'origin', 'outcomes', 'submissionId', 'status', 'txId'],
  ['adoptions', 'execution']
].flat()

/**
 * Whether two responses about a block decide the same. The hash of the results does not cover events.
 * @param outcomeOf what a block decides, without ids generated for it
 */
export function decideSame(
  one: NodeBlock,
  other: NodeBlock,
  outcomeOf: (block: NodeBlock) => object
): boolean {
  if (one.hash !== other.hash || one.resultsHash !== other.resultsHash) return false
  return JSON.stringify(outcomeOf(one), DECISIVE) === JSON.stringify(outcomeOf(other), DECISIVE)
}

/**
 * Finds out which node's response about a block is wrong: the one that other nodes outvote, or the one that the next
 * block contradicts, if two nodes agree on the next block (interface 19.20). Nodes found to be wrong are skipped.
 * @param isSame whether two responses decide the same
 * @returns whether the block can be read again immediately; false while the next block is awaited
 * @throws NodesDisagreeError if nothing shows which node is wrong, or no other node is left
 */
export async function findWrongNode(
  chain: ChainClient,
  block: PoolBlock,
  isSame: (one: NodeBlock, other: NodeBlock) => boolean
): Promise<boolean> {
  const { height, witness } = block
  const answers = witness ? [block, witness] : [block]

  function passOver(isRight: (answer: NodeBlock) => boolean): boolean {
    const wrong = answers.filter(answer => !isRight(answer))
    const reason = `its block ${height}, or the results of that, are not those of the chain`
    const passedOver = wrong.filter(({ node }) => chain.distrust(node, reason))
    if (wrong.length > 0 && passedOver.length === 0)
      throw new NodesDisagreeError(`no node is left: ${reason}`)
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
    `${answers.map(({ node }) => node).join(' and ')} have different blocks ${height}, or results of it`
  )
}
