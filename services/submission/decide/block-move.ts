import type { ChainBlock, NodeBlock } from '../../chain-client/index.ts'
import type { SubmissionOutcome } from '../contract.ts'
import type { ReadBlock } from './block.ts'

/** Returns the parts of a block's results that nodes must agree on. Error messages and other events may differ. */
function decisive({ resolutions, adoptions }: ReadBlock): string {
  const result = (outcome: SubmissionOutcome) => [
    outcome.status,
    outcome.status === 'committed' && outcome.txId
  ]
  return JSON.stringify([
    resolutions.map(({ sequence, transactionHash, origin, outcomes }) => [
      ...[sequence, transactionHash, origin],
      outcomes.map(outcome => [outcome.submissionId, ...result(outcome)])
    ]),
    adoptions.map(({ transactionHash, execution }) => [transactionHash, execution && result(execution)])
  ])
}

/** The responses about a block so far. */
export interface BlockEvidence {
  /** At least one response, each from a different node. */
  responses: readonly NodeBlock[]
  /** The next block's header; `none` if there is none yet, or if nodes disagree on it; undefined until asked for. */
  next?: (Pick<ChainBlock, 'previousHash' | 'lastResultsHash'> & { isByTwo: boolean }) | 'none'
  /** Whether no node is known to have a later block. */
  isNewest: boolean
  /** Whether only one node is configured. */
  isOnlyNode: boolean
  /** Whether all nodes were asked. */
  isComplete: boolean
}

/** Returns the next header, which should follow one of the responses. Nodes on another chain or fork do not count. */
export function nextHeader(
  headers: readonly ChainBlock[],
  responses: readonly ChainBlock[]
): NonNullable<BlockEvidence['next']> {
  const ofChain = headers.filter(({ chainId }) => chainId === responses[0]?.chainId)
  const following = ofChain.filter(({ previousHash }) => responses.some(({ hash }) => hash === previousHash))
  const [header, ...others] = following.length > 0 ? following : ofChain
  if (!header || others.some(({ hash }) => hash !== header.hash)) return 'none'
  return { ...header, isByTwo: others.length > 0 }
}

export type BlockMove =
  /** `wrong`: the nodes with another outcome. */
  | { do: 'apply'; block: NodeBlock; wrong: readonly string[] }
  | { do: 'ask'; about: 'next' | 'otherNodes' }
  /** Read the block again after the next one. */
  | { do: 'wait' }
  | { do: 'raise'; wrong: readonly string[]; reason: string }

/**
 * Decides whether a block can be applied (interface 19.18). Two nodes must have the same outcome. While only one
 * responds, a success is applied, and the next header must confirm everything else. While nodes contradict each other,
 * nothing is applied unless a next header of two nodes settles it.
 * @param results reads what a block decided, once for each block
 */
export function blockMove(evidence: BlockEvidence, results: (block: NodeBlock) => ReadBlock): BlockMove {
  const known = new Map<NodeBlock, ReadBlock>()
  const read = (block: NodeBlock): ReadBlock => {
    const found = known.get(block) ?? results(block)
    known.set(block, found)
    return found
  }
  const { responses, next, isNewest, isOnlyNode, isComplete } = evidence
  const [first, ...others] = responses
  if (!first) return { do: 'wait' }
  const isSame = (one: NodeBlock, other: NodeBlock) =>
    one.hash === other.hash &&
    one.resultsHash === other.resultsHash &&
    decisive(read(one)) === decisive(read(other))
  const except = (right: NodeBlock) => responses.filter(one => one !== right && !isSame(one, right))
  const apply = (block: NodeBlock): BlockMove => ({ do: 'apply', block, wrong: except(block).map(nodeOf) })

  const agreed = responses.find(one => responses.some(other => other !== one && isSame(one, other)))
  if (agreed) return apply(agreed)
  const isAlone = others.length === 0
  const { proof } = read(first)
  if (isAlone && isNewest && proof === 'none') return apply(first)
  if (next === undefined) return { do: 'ask', about: 'next' }
  const fits = (block: NodeBlock) =>
    next !== 'none' && next.previousHash === block.hash && next.lastResultsHash === block.resultsHash
  if (isAlone && (next === 'none' || fits(first))) {
    if (proof === 'none') return apply(first)
    if (next === 'none') return { do: 'wait' }
    if (proof === 'header' || isOnlyNode) return apply(first)
    return disagree(`only ${first.node} responds, and only events show what its transactions did`, first)
  }
  if (!isComplete) return { do: 'ask', about: 'otherNodes' }
  if (next === 'none') return { do: 'wait' }
  if (!next.isByTwo)
    return disagree(`${responses.map(nodeOf).join(' and ')} and the next header differ`, first)
  // These nodes may be the ones on a fork: nobody has shown that their block follows the last one.
  if (responses.every(({ hash }) => hash !== next.previousHash))
    return disagree('the next header of two nodes follows another block', first)
  const [right, ...more] = responses.filter(fits)
  if (right && more.length === 0 && read(right).proof !== 'secondNode') return apply(right)
  return disagree('the nodes have different results', first, responses.filter(one => !fits(one)).map(nodeOf))
}

const nodeOf = ({ node }: NodeBlock) => node

function disagree(reason: string, { height }: NodeBlock, wrong: readonly string[] = []): BlockMove {
  return { do: 'raise', reason: `block ${height}: ${reason}`, wrong }
}
