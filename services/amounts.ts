/** An exact number of whole tokens: `units` divided by ten to the power of `decimals` (0 to 36; interface 18.6). */
export interface ExactAmount {
  units: bigint
  decimals: number
}

/** @param whole decimal string of whole tokens, without a sign or exponent */
export function exactAmount(whole: string): ExactAmount {
  const [integer = '', fraction = ''] = whole.split('.')
  return { units: BigInt(integer + fraction), decimals: fraction.length }
}

/** Formats an amount in whole tokens, without leading zeros or trailing fraction zeros (interface 18.7). */
export function wholeText({ units, decimals }: ExactAmount): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const end = [...digits].findLastIndex((digit, index) => index < point || digit !== '0') + 1
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${end > point ? `.${digits.slice(point, end)}` : ''}`
}

/** @returns a negative number if `a` is smaller, zero if the amounts are equal, a positive number otherwise */
export function compareAmounts(a: ExactAmount, b: ExactAmount): number {
  const { units } = subtractAmounts(a, b)
  return units < 0n ? -1 : units > 0n ? 1 : 0
}

export function addAmounts(a: ExactAmount, b: ExactAmount): ExactAmount {
  const decimals = Math.max(a.decimals, b.decimals)
  return { units: unitsAt(a, decimals).floor + unitsAt(b, decimals).floor, decimals }
}

/** Subtracts `b` from `a`. The result can be negative. */
export function subtractAmounts(a: ExactAmount, b: ExactAmount): ExactAmount {
  return addAmounts(a, { ...b, units: -b.units })
}

/** Converts an amount to a different number of decimals. `floor` and `ceiling` are equal if no digit is lost. */
export function unitsAt({ units, decimals }: ExactAmount, to: number): { floor: bigint; ceiling: bigint } {
  if (to >= decimals) {
    const exact = units * 10n ** BigInt(to - decimals)
    return { floor: exact, ceiling: exact }
  }
  const divisor = 10n ** BigInt(decimals - to)
  const floor = units / divisor
  return { floor, ceiling: floor * divisor === units ? floor : floor + 1n }
}

/** Expands the exponent of a non-negative JSON number, exactly: `plainDecimal('1e-7')` is `'0.0000001'`. */
export function plainDecimal(text: string): string {
  const [mantissa = '', exponent] = text.toLowerCase().split('e')
  if (exponent === undefined) return text
  const { units, decimals } = exactAmount(mantissa)
  const places = decimals - Number(exponent)
  return wholeText({ units: units * 10n ** BigInt(Math.max(0, -places)), decimals: Math.max(0, places) })
}

export const optionalAmount = (digits: string | undefined): bigint | undefined =>
  digits === undefined ? undefined : BigInt(digits)
