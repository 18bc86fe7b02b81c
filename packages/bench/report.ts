/** A measured value, the values of other subjects in the same run, and the project's target on an idle machine. */
export interface Figure {
  name: string
  unit: string
  value: number
  compared?: Record<string, number>
  atLeast?: number
  atMost?: number
}

export interface Result {
  title: string
  conditions: string
  figures: Figure[]
  /** The number of responses that are wrong, are missing or contradict the chain. */
  wrong: number
}

const withUnit = (value: number, unit: string) =>
  `${Number(value.toPrecision(3)).toLocaleString('en')} ${unit}`.trim()

function row({ name, unit, value, compared = {}, atLeast, atMost }: Figure): string {
  const others = Object.entries(compared).map(([label, other]) => `${label}: ${withUnit(other, unit)}`)
  const isMissed = (atLeast !== undefined && value < atLeast) || (atMost !== undefined && value > atMost)
  const [sign, bound] = atLeast === undefined ? ['≤', atMost] : ['≥', atLeast]
  const limit = bound === undefined ? '' : `${sign} ${withUnit(bound, unit)}${isMissed ? ', missed' : ''}`
  return `| ${[name, withUnit(value, unit), others.join('; '), limit].join(' | ')} |`
}

/** Formats a table for docs/performance.md. */
export function toMarkdown({ title, conditions, figures, wrong }: Result): string {
  const all = [...figures, { name: 'wrong or missing responses', unit: '', value: wrong, atMost: 0 }]
  const head = ['| | Measured | Compared with | Limit |', '|---|---|---|---|']
  return `### ${title}\n\n${conditions}\n\n${[...head, ...all.map(row)].join('\n')}\n`
}

/** Returns the percentile of the values at the fraction `part` (0 to 1). */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

export const median = (values: readonly number[]) => percentile(values, 0.5)

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
