import { toWholeTokens } from './amounts.ts'

/** An exact number of whole tokens: `units` divided by ten to the power of `decimals` (0 to 36). */
export interface ExactAmount {
  units: bigint
  decimals: number
}

/** @param whole decimal string of whole tokens, without sign and exponent */
export function exactAmount(whole: string): ExactAmount {
  const [integer = '', fraction = ''] = whole.split('.')
  return { units: BigInt(integer + fraction), decimals: fraction.length }
}

/** The amount as a decimal string of whole tokens (interface 18.7). */
export function wholeText({ units, decimals }: ExactAmount): string {
  return toWholeTokens(String(units), decimals)
}

/** Below zero when `a` is the smaller amount, zero when they are equal, above zero otherwise. */
export function compareAmounts(a: ExactAmount, b: ExactAmount): number {
  const decimals = Math.max(a.decimals, b.decimals)
  const difference = unitsAt(a, decimals).floor - unitsAt(b, decimals).floor
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export function addAmounts(a: ExactAmount, b: ExactAmount): ExactAmount {
  const decimals = Math.max(a.decimals, b.decimals)
  return { units: unitsAt(a, decimals).floor + unitsAt(b, decimals).floor, decimals }
}

/** @param b not larger than `a` */
export function subtractAmounts(a: ExactAmount, b: ExactAmount): ExactAmount {
  const decimals = Math.max(a.decimals, b.decimals)
  return { units: unitsAt(a, decimals).floor - unitsAt(b, decimals).floor, decimals }
}

/** The units of an amount in other decimals, rounded down and rounded up; both are equal when nothing is cut off. */
export function unitsAt({ units, decimals }: ExactAmount, to: number): { floor: bigint; ceiling: bigint } {
  if (to >= decimals) {
    const exact = units * 10n ** BigInt(to - decimals)
    return { floor: exact, ceiling: exact }
  }
  const divisor = 10n ** BigInt(decimals - to)
  const floor = units / divisor
  return { floor, ceiling: floor * divisor === units ? floor : floor + 1n }
}
