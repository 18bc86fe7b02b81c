import { type BenchmarkResult, type Figure, isMet } from './figures.ts'

/** Three significant digits; no fraction for whole numbers and from 100 on. */
function digits(value: number): string {
  const magnitude = Math.abs(value)
  if (Number.isInteger(value) || magnitude >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(magnitude >= 10 ? 1 : 2)
}

/** A value with its unit, as text. */
export function withUnit(value: number, unit: string): string {
  return `${digits(value)}${unit.startsWith('/') || unit === '' ? unit : ` ${unit}`}`
}

/** What the value is compared with, as text; empty without it. */
export function besideOf({ beside = [], unit }: Figure): string {
  return beside.map(({ label, value }) => `${label}: ${withUnit(value, unit)}`).join('; ')
}

/** The bound as text; empty without one. */
export function targetOf({ target, unit }: Figure): string {
  if (target === undefined) return ''
  return 'atLeast' in target ? `≥ ${withUnit(target.atLeast, unit)}` : `≤ ${withUnit(target.atMost, unit)}`
}

function row(figure: Figure): string[] {
  const { name, value, unit } = figure
  const met = isMet(figure)
  return [
    name,
    withUnit(value, unit),
    besideOf(figure),
    targetOf(figure),
    met === undefined ? '' : met ? 'met' : 'missed'
  ]
}

function layOut(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(cells => cells[column]?.length ?? 0))) ?? []
  return rows.map(cells =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  )
}

/** The results of a benchmark as text. */
export function toTable({ name, conditions, figures, notes }: BenchmarkResult): string {
  const rows = layOut([['', 'measured', 'beside it', 'target', ''], ...figures.map(row)])
  return [
    `${name}: ${conditions}`,
    ...rows.map(line => `  ${line}`),
    ...notes.map(note => `  ${note}`),
    ''
  ].join('\n')
}
