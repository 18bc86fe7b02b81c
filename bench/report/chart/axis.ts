/** Where a value lies between two others, 0 to 1, on a logarithmic or on a linear axis. */
export const logarithmic = (from: number, to: number) => (value: number) =>
  Math.log(value / from) / Math.log(to / from)
export const linear = (from: number, to: number) => (value: number) => (value - from) / (to - from)

/** 1, 2 or 5 times a power of ten, so that at most five steps reach the value. */
function stepFor(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value / 5))
  return power * ([1, 2, 5].find(factor => factor * power * 5 >= value) ?? 10)
}

/** The values that the vertical axis names, from its lower to its upper end. */
export function ticksFor(values: readonly number[], isLogarithmic: boolean): number[] {
  const highest = Math.max(...values)
  if (isLogarithmic) {
    const from = Math.floor(Math.log10(Math.min(...values)))
    return Array.from(
      { length: Math.ceil(Math.log10(highest)) - from + 1 },
      (_, index) => 10 ** (from + index)
    )
  }
  const step = stepFor(highest)
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}
