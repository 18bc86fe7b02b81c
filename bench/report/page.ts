import { type BenchmarkResult, isMet } from './figures.ts'
import type { Machine } from './machine.ts'
import { targetOf, withUnit } from './table.ts'

const BEGIN = '<!-- Written by `npm run bench -- --record replicas`. -->'
const END = '<!-- Until here. -->'

/** The page with these results in place of the recorded ones. @throws Error for a page without a place for them */
export function withResults(page: string, results: readonly BenchmarkResult[], machine: Machine): string {
  const [before, rest] = page.split(BEGIN)
  const [, after] = rest?.split(END) ?? []
  if (before === undefined || after === undefined) throw new Error('the page has no place for results')
  const { cores, processor, node, loadBefore } = machine
  const day = new Date().toISOString().slice(0, 10)
  const where =
    `Measured on ${day} with Node ${node} on ${cores} cores (${processor}); the load average was ${loadBefore} in the ` +
    'minute before.'
  return [before + BEGIN, where, ...results.map(toMarkdown), END + after].join('\n\n')
}

function toMarkdown({ name, conditions, figures, notes }: BenchmarkResult): string {
  const rows = figures.map(figure => {
    const { value, unit, beside } = figure
    const besideIt = beside === undefined ? '' : `${beside.label}: ${withUnit(beside.value, unit)}`
    const missed = isMet(figure) === false ? ' (missed)' : ''
    return [figure.name, withUnit(value, unit) + missed, besideIt, targetOf(figure)]
  })
  const table = [['', 'Measured', 'Beside it', 'Limit'], ['---', '---', '---', '---'], ...rows]
  const lines = table.map(cells => `|${cells.map(cell => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`)
  return [`### ${name}`, `${capitalized(conditions)}.`, lines.join('\n'), ...notes].join('\n\n')
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
