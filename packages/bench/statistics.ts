/** Returns the percentile of the values at the fraction `part` (0 to 1). */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

export const median = (values: readonly number[]) => percentile(values, 0.5)

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
