/** A measured value and its comparisons. */
export interface Figure {
  name: string
  unit: string
  value: number
  /** The values of other subjects in the same run, by subject. */
  compared?: Record<string, number>
  /** The project's target on an idle machine. */
  limit?: { atLeast: number } | { atMost: number }
}

/** The result of a benchmark. */
export interface Result {
  title: string
  /** The subject and the conditions of the measurement. */
  conditions: string
  figures: Figure[]
  /** The number of responses that are wrong, are missing or contradict the chain. */
  wrong: number
}

/** Formats a number with three significant digits, or as an integer if it is 100 or more. */
function digits(value: number): string {
  const magnitude = Math.abs(value)
  if (Number.isInteger(value) || magnitude >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(magnitude >= 10 ? 1 : 2)
}

const withUnit = (value: number, unit: string) =>
  `${digits(value)}${unit === '' || unit.startsWith('/') ? unit : ` ${unit}`}`

function limitOf({ limit, value, unit }: Figure): string {
  if (limit === undefined) return ''
  const [sign, bound, isMet] =
    'atLeast' in limit
      ? ['≥', limit.atLeast, value >= limit.atLeast]
      : ['≤', limit.atMost, value <= limit.atMost]
  return `${sign} ${withUnit(bound, unit)}${isMet ? '' : ', missed'}`
}

function row(figure: Figure): string[] {
  const { name, value, unit, compared = {} } = figure
  const others = Object.entries(compared).map(([label, other]) => `${label}: ${withUnit(other, unit)}`)
  return [name, withUnit(value, unit), others.join('; '), limitOf(figure)]
}

/** Formats a table for docs/performance.md. */
export function toMarkdown({ title, conditions, figures, wrong }: Result): string {
  const responses: Figure = {
    name: 'wrong or missing responses',
    unit: '',
    value: wrong,
    limit: { atMost: 0 }
  }
  const rows = [
    ['', 'Measured', 'Compared with', 'Limit'],
    new Array(4).fill('---'),
    ...[...figures, responses].map(row)
  ]
  const table = rows.map(cells => `|${cells.map(cell => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`)
  return `### ${title}\n\n${conditions}\n\n${table.join('\n')}\n`
}
