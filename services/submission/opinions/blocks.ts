import type { ChainClient, NodeBlock, PoolBlock } from '../../chain-client/index.ts'
import { NodesDisagreeError } from './account.ts'

/** The members of an outcome that decide; texts and other events may differ from node to node. */
const DECISIVE = [
  ['resolutions', 'sequence', 'transactionHash', 'origin', 'outcomes', 'submissionId', 'status', 'txId'],
  ['adoptions', 'execution']
].flat()

/**
 * Whether two answers about a block decide the same. The hash of the results does not cover events.
 * @param outcomeOf what a block decides, without ids that are drawn for it
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
 * Finds out whose answer about a block is wrong: that of a node which the others outvote, or that which the next block
 * contradicts, when two nodes agree on that one (interface 19.20). Nodes that are found to be wrong are passed over.
 * @param isSame whether two answers decide the same
 * @returns whether the block can be read again at once; false while the next block is awaited
 * @throws NodesDisagreeError when nothing says who is wrong, or no other node is left
 */
export async function judge(
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

  const nextBlock = await chain.agreement({
    question: 'block',
    ask: node => node.block(height + 1),
    agree: (one, other) => one !== undefined && one.hash === other?.hash
  })
  const [next] = nextBlock.agreed ?? []
  const fits = ({ hash, resultsHash }: NodeBlock) =>
    hash === next?.previousHash && resultsHash === next.lastResultsHash
  if (next && passOver(fits)) return true

  const thisBlock = await chain.agreement({
    question: 'block',
    ask: async ({ block: read, host: node }) => {
      const found = await read(height)
      return found && { ...found, node }
    },
    agree: (one, other) => one !== undefined && other !== undefined && isSame(one, other)
  })
  const [right] = thisBlock.agreed ?? []
  if (right) return passOver(answer => isSame(answer, right)) || true
  if (nextBlock.opinions.every(({ answer }) => answer === undefined)) return false
  throw new NodesDisagreeError(
    `${answers.map(({ node }) => node).join(' and ')} have different blocks ${height}, or results of it`
  )
}
