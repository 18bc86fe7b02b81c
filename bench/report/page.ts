import { type BenchmarkResult, type Chart, type Figure, isMet } from './figures.ts'
import type { Recorded } from './results.ts'
import { besideOf, targetOf, withUnit } from './table.ts'

/** Between these two lines of the page are the results of a suite. */
const begin = (suite: string) => `<!-- Written by \`npm run bench -- --record ${suite}\`. -->`
const end = (suite: string) => `<!-- End of ${suite}. -->`

/** The file of a chart, from the folder of the page. */
export const chartPath = (suite: string, { name }: Chart) =>
  `performance/${[...new Set([suite, name])].join('-')}.svg`

/** The page with these results of a suite in place of its last ones. @throws Error for a page without a place for them */
export function withResults(page: string, suite: string, recorded: Recorded): string {
  const [before, rest] = page.split(begin(suite))
  const [, after] = rest?.split(end(suite)) ?? []
  if (before === undefined || after === undefined) throw new Error(`the page has no place for ${suite}`)
  const { cores, processor, node, loadBefore } = recorded.machine
  const where =
    `Measured on ${recorded.date.slice(0, 10)} with Node ${node} on ${cores} cores (${processor}); the load average was ` +
    `${loadBefore} in the minute before.`
  const results = recorded.benchmarks.map(result => toMarkdown(suite, result))
  return [before + begin(suite), where, ...results, end(suite) + after].join('\n\n')
}

function toMarkdown(
  suite: string,
  { name, conditions, figures, notes, charts = [] }: BenchmarkResult
): string {
  const table = [['', 'Measured', 'Beside it', 'Limit'], ['---', '---', '---', '---'], ...figures.map(row)]
  const lines = table.map(cells => `|${cells.map(cell => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`)
  const images = charts.map(chart => `![${chart.title}](${chartPath(suite, chart)})`)
  return [`### ${suite}/${name}`, `${capitalized(conditions)}.`, ...images, lines.join('\n'), ...notes].join(
    '\n\n'
  )
}

function row(figure: Figure): string[] {
  const missed = isMet(figure) === false ? ' (missed)' : ''
  return [figure.name, withUnit(figure.value, figure.unit) + missed, besideOf(figure), targetOf(figure)]
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
