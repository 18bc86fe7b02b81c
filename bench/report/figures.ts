/** The bound that a value must meet. */
export type Target = { atLeast: number } | { atMost: number }

/** One measured value, with what it is compared with in the same run. */
export interface Figure {
  name: string
  unit: string
  value: number
  target?: Target
  /** The same value of something else: the usual way to a chain, or an empty store. */
  beside?: { label: string; value: number }
}

export interface BenchmarkResult {
  name: string
  /** What was measured and under which conditions. */
  conditions: string
  figures: Figure[]
  /** Sentences that explain the figures. */
  notes: string[]
}

export function isMet({ value, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}
