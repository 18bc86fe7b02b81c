import type { Block, CommittedTx } from '../../chain/blocks/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { upperHex } from '../../chain/hashes.ts'
import { cometOf } from '../comet.ts'
import type { TxIndex } from '../faults.ts'
import { RpcPanic } from '../params/json-params.ts'
import { decodeHex } from '../params/params.ts'
import { matchesEvent, matchesValue } from './match.ts'
import type { Condition } from './parse.ts'

/**
 * The committed transactions that match a query, in ascending order. As in a node's index, a condition on `tx.hash`
 * is used alone, and conditions on `tx.height` limit the blocks to search.
 * @throws Error when `tx.hash` is not compared with a hex hash
 * @throws RpcPanic when `tx.height` is compared with a text, in 0.37
 */
export function searchTxs(chain: TxIndex, conditions: readonly Condition[]): CommittedTx[] {
  const byHash = conditions.find(({ key }) => key === 'tx.hash')
  if (byHash !== undefined) {
    const tx = chain.tx(upperHex(hashOf(byHash.value)))
    return tx === undefined ? [] : [tx]
  }
  const heightAsText = conditions.some(({ key, numeric }) => key === 'tx.height' && !numeric)
  if (heightAsText && cometOf(chain) === '0.37') {
    throw new RpcPanic('interface conversion: interface {} is string, not *big.Int')
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
    ({ beginBlockEvents, endBlockEvents }) =>
      onEvents.length === 0 ||
      [...beginBlockEvents, ...endBlockEvents].some(event => matchesEvent(onEvents, event))
  )
}

/** @throws Error for anything but hex */
function hashOf(text: string): Uint8Array {
  try {
    return decodeHex(text)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new Error(`error during searching for a hash in the query: ${problem}`)
  }
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
