/** The value that the fraction `part` (0 to 1) of the values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The slope of the line that fits the points best (least squares). */
export function slope(points: readonly { x: number; y: number }[]): number {
  const meanX = sum(points.map(({ x }) => x)) / points.length
  const meanY = sum(points.map(({ y }) => y)) / points.length
  const covariance = sum(points.map(({ x, y }) => (x - meanX) * (y - meanY)))
  return covariance / sum(points.map(({ x }) => (x - meanX) ** 2))
}
