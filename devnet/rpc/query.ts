import type { Block, CommittedTx } from '../chain/blocks/block.ts'
import type { ChainEvent } from '../chain/events.ts'
import type { TxIndex } from './faults.ts'

/** One condition of an event query; its key is `type.attribute`, or `tx.hash`, `tx.height`, `block.height`, `tm.event`. */
export interface Condition {
  key: string
  operator: string
  /** A number is compared as one. Undefined for EXISTS. */
  value: string | bigint | undefined
}

const CONDITION =
  /\s*(?<key>[\w.-]+)(?:\s*(?<operator>[<>]=?|=)|\s+(?<word>CONTAINS|EXISTS))(?:\s*(?:'(?<text>[^']*)'|(?<number>\d+)))?\s*(?:AND\s+|$)/y

/**
 * Parses an event query such as `tm.event='Tx' AND transfer.recipient='x' AND tx.height>=5`.
 * @throws Error for anything else
 */
export function parseQuery(query: string): Condition[] {
  const conditions: Condition[] = []
  for (let at = 0; at < query.length || at === 0; at = CONDITION.lastIndex) {
    CONDITION.lastIndex = at
    const { key = '', operator, word, text, number } = CONDITION.exec(query)?.groups ?? {}
    const value = number === undefined ? text : BigInt(number)
    if (key === '' || (word === 'EXISTS') !== (value === undefined)) {
      throw new Error(`failed to parse query: ${JSON.stringify(query.slice(at))} is no condition`)
    }
    conditions.push({ key, operator: operator ?? word ?? '', value })
  }
  return conditions
}

function matchesValue({ operator, value }: Condition, actual: string): boolean {
  if (value === undefined) return true
  if (operator === 'CONTAINS') return actual.includes(String(value))
  if (typeof value === 'string') return operator === '=' && actual === value
  if (!/^\d+$/.test(actual)) return false
  const number = BigInt(actual)
  if (number === value) return operator.endsWith('=')
  return operator.startsWith(number < value ? '<' : '>')
}

/** Whether one event fulfils all conditions: in a search, conditions joined by AND hold within one event. */
function matchesEvent(conditions: readonly Condition[], { type, attributes }: ChainEvent): boolean {
  return conditions.every(condition =>
    attributes.some(
      ({ key, value, index }) => index && `${type}.${key}` === condition.key && matchesValue(condition, value)
    )
  )
}

/** Whether a published message fulfils all conditions: in a subscription, each may hold in a different event. */
export function matchesAttributes(
  conditions: readonly Condition[],
  attributes: Readonly<Record<string, readonly string[]>>
): boolean {
  return conditions.every(condition =>
    attributes[condition.key]?.some(value => matchesValue(condition, value))
  )
}

/** The blocks, in ascending order, whose height fulfils the conditions on `key`. */
export function searchBlocks(
  chain: Pick<TxIndex, 'height' | 'block'>,
  conditions: readonly Condition[],
  key: string
): Block[] {
  const onHeight = conditions.filter(condition => condition.key === key)
  return Array.from({ length: chain.height }, (_, index) => index + 1)
    .filter(height => onHeight.every(condition => matchesValue(condition, String(height))))
    .map(height => chain.block(height))
    .filter(block => block !== undefined)
}

/** The committed transactions that match, in ascending order. As in a node's index, `tx.hash` is used alone. */
export function searchTxs(chain: TxIndex, conditions: readonly Condition[]): CommittedTx[] {
  const byHash = conditions.find(({ key }) => key === 'tx.hash')
  if (byHash !== undefined) return [chain.tx(String(byHash.value))].filter(tx => tx !== undefined)
  const onEvents = conditions.filter(({ key }) => key !== 'tx.height')
  return searchBlocks(chain, conditions, 'tx.height').flatMap(({ txs }) =>
    onEvents.length === 0
      ? txs
      : txs.filter(({ result }) => result.events.some(event => matchesEvent(onEvents, event)))
  )
}
