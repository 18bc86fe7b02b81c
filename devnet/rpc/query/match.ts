import type { ChainEvent } from '../../chain/events.ts'
import type { Condition } from './parse.ts'

/**
 * Whether a value fulfils the condition, apart from its key.
 * @param denoms whether a number may have text behind it, such as 100uatom
 */
export function matchesValue(
  { operator, value, numeric }: Condition,
  actual: string,
  denoms = false
): boolean {
  if (operator === 'EXISTS') return true
  if (operator === 'CONTAINS') return actual.includes(value)
  if (!numeric) return actual === value
  const number = (denoms ? /^\d+(\.\d+)?/ : /^\d+(\.\d+)?$/).exec(actual)?.[0]
  if (number === undefined) return false
  const order = compareDecimals(number, value)
  switch (operator) {
    case '=':
      return order === 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

/** Whether one event fulfils all conditions: in a search, conditions joined by AND hold within one event. */
export function matchesEvent(conditions: readonly Condition[], event: ChainEvent): boolean {
  return conditions.every(condition =>
    event.attributes.some(
      ({ key, value, index }) =>
        index && `${event.type}.${key}` === condition.key && matchesValue(condition, value)
    )
  )
}

/**
 * Whether a published message fulfils all conditions: in a subscription, each may hold in a different event, and
 * conditions on amounts work.
 */
export function matchesAttributes(
  conditions: readonly Condition[],
  attributes: Readonly<Record<string, readonly string[]>>
): boolean {
  return conditions.every(
    condition => attributes[condition.key]?.some(value => matchesValue(condition, value, true)) === true
  )
}

/** Compares unsigned decimals of any length exactly. */
function compareDecimals(a: string, b: string): number {
  const [aWhole = '', aFraction = ''] = a.split('.')
  const [bWhole = '', bFraction = ''] = b.split('.')
  const digits = Math.max(aFraction.length, bFraction.length)
  const left = BigInt(aWhole + aFraction.padEnd(digits, '0'))
  const right = BigInt(bWhole + bFraction.padEnd(digits, '0'))
  return left === right ? 0 : left < right ? -1 : 1
}
