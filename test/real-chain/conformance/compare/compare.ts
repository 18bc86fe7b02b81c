import type { Recording } from '../conversation.ts'
import { type Part, split } from './kinds.ts'

/** A place where the two networks answered differently. */
export interface Difference {
  /** `step.field.0.field` */
  readonly path: string
  readonly devnet: unknown
  readonly node: unknown
}

/**
 * Compares the answers of one conversation field by field.
 * @param literal as `split`
 */
export function compare(devnet: Recording, node: Recording, literal: ReadonlySet<string>): Difference[] {
  const differences: Difference[] = []
  const partners = createPartners()

  function compareValues(
    path: string,
    key: string | undefined,
    left: unknown,
    right: unknown,
    failed = false
  ): void {
    if (Array.isArray(left) && Array.isArray(right)) {
      for (let index = 0; index < Math.max(left.length, right.length); index++) {
        compareValues(`${path}.${index}`, key, left[index], right[index], failed)
      }
    } else if (isObject(left) && isObject(right)) {
      for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
        compareValues(`${path}.${name}`, name, left[name], right[name], hasFailed(left) && hasFailed(right))
      }
    } else if (!sameLeaf(key, left, right, failed)) {
      differences.push({ path, devnet: left, node: right })
    }
  }

  function sameLeaf(key: string | undefined, left: unknown, right: unknown, failed: boolean): boolean {
    if (typeof left !== 'string' || typeof right !== 'string') return left === right
    const [a, b] = [split(left, key, literal), split(right, key, literal)]
    return (
      a.template === b.template && a.parts.every((part, index) => fits(part, b.parts[index]?.value, failed))
    )
  }

  function fits({ kind, value, same }: Part, other: string | undefined, failed: boolean): boolean {
    if (kind === 'gas') return areNear(Number(value), Number(other), failed)
    return !same || partners.match(kind, value, other)
  }

  for (const step of new Set([...devnet.keys(), ...node.keys()])) {
    compareValues(step, undefined, devnet.get(step), node.get(step))
  }
  return differences
}

/** Pairs each variable value of one network with one of the other: a value that occurs twice has one partner. */
function createPartners() {
  const ofDevnet = new Map<string, string>()
  const ofNode = new Map<string, string>()
  return {
    match(kind: string, devnet: string, node: string | undefined): boolean {
      if (node === undefined) return false
      const [left, right] = [`${kind} ${devnet}`, `${kind} ${node}`]
      if (!ofDevnet.has(left) && !ofNode.has(right)) {
        ofDevnet.set(left, node)
        ofNode.set(right, devnet)
      }
      return ofDevnet.get(left) === node && ofNode.get(right) === devnet
    }
  }
}

/** Below this, a transaction was refused early. */
const GAS_OF_EXECUTION = 25_000

/**
 * Whether two amounts of gas differ by a third at most, or are both small. For a transaction that was refused early, a
 * node may show the gas of something else: with `failed`, one small amount is enough.
 */
function areNear(devnet: number, node: number, failed: boolean): boolean {
  const small = [devnet, node].filter(gas => gas < GAS_OF_EXECUTION).length
  if (small === 2 || (failed && small === 1)) return true
  return devnet > (node * 2) / 3 && devnet < (node * 4) / 3
}

/** Whether this is the result of a transaction that failed. */
function hasFailed({ code }: Record<string, unknown>): boolean {
  return typeof code === 'number' && code !== 0
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
