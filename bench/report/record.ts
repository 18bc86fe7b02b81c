import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { drawChart } from './chart/index.ts'
import { chartPath, withResults } from './page.ts'
import { Recorded, Results } from './results.ts'

const RESULTS = 'bench/results.json'
const PAGE = 'docs/performance.md'

/**
 * Puts the run of a suite in place of its last one in `results.json`, and writes the tables and charts of all suites.
 * @throws Error for a figure that is no number, which JSON does not have
 */
export async function record(suite: string, recorded: Recorded): Promise<void> {
  const results = Value.Parse(Results, JSON.parse(await readFile(RESULTS, 'utf8')))
  results.suites[suite] = Value.Parse(Recorded, recorded)
  await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
  await show(results)
}

async function show({ suites }: Results): Promise<void> {
  let page = await readFile(PAGE, 'utf8')
  for (const [suite, recorded] of Object.entries(suites)) {
    page = withResults(page, suite, recorded)
    for (const chart of recorded.benchmarks.flatMap(({ charts = [] }) => charts)) {
      const path = join(dirname(PAGE), chartPath(suite, chart))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, drawChart(chart))
    }
  }
  await writeFile(PAGE, page)
}
