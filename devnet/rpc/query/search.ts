import type { Block, CommittedTx } from '../../chain/blocks/block.ts'
import type { Chain } from '../../chain/chain.ts'
import type { TxIndex } from '../faults.ts'
import { matchesEvent, matchesValue } from './match.ts'
import type { Condition } from './parse.ts'

/**
 * The committed transactions that match a query, in ascending order. As in a node's index, a condition on `tx.hash`
 * is used alone, and conditions on `tx.height` limit the blocks to search.
 * @throws Error when `tx.hash` is not compared with a hex hash
 */
export function searchTxs(chain: TxIndex, conditions: readonly Condition[]): CommittedTx[] {
  const byHash = conditions.find(({ key }) => key === 'tx.hash')
  if (byHash !== undefined) {
    if (!/^([0-9a-f]{2})+$/i.test(byHash.value)) {
      throw new Error('error during searching for a hash in the query: the hash is not hex')
    }
    const tx = chain.tx(byHash.value.toUpperCase())
    return tx === undefined ? [] : [tx]
  }
  const onEvents = conditions.filter(({ key }) => key !== 'tx.height')
  return blocksInRange(chain, conditions, 'tx.height').flatMap(block =>
    onEvents.length === 0
      ? block.txs
      : block.txs.filter(({ result }) => result.events.some(event => matchesEvent(onEvents, event)))
  )
}

/** The blocks that match a query on `block.height` and on begin-block and end-block events, in ascending order. */
export function searchBlocks(chain: Chain, conditions: readonly Condition[]): Block[] {
  const onEvents = conditions.filter(({ key }) => key !== 'block.height')
  return blocksInRange(chain, conditions, 'block.height').filter(
    ({ height, beginBlockEvents, endBlockEvents }) =>
      height >= chain.base &&
      (onEvents.length === 0 ||
        [...beginBlockEvents, ...endBlockEvents].some(event => matchesEvent(onEvents, event)))
  )
}

function blocksInRange(
  chain: Pick<Chain, 'height' | 'block'>,
  conditions: readonly Condition[],
  heightKey: string
): Block[] {
  const onHeight = conditions.filter(({ key }) => key === heightKey)
  let first = 1
  let last = chain.height
  for (const { operator, value } of onHeight) {
    const bound = Number(value)
    if (operator === '=' || operator.startsWith('>')) first = Math.max(first, Math.floor(bound))
    if (operator === '=' || operator.startsWith('<')) last = Math.min(last, Math.ceil(bound))
  }
  const blocks: Block[] = []
  for (let height = first; height <= last; height++) {
    const block = chain.block(height)
    const matches = onHeight.every(condition => matchesValue(condition, String(height)))
    if (block !== undefined && matches) blocks.push(block)
  }
  return blocks
}
