import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t, test } from '../helpers/tap.ts'

const run = promisify(execFile)

const root = fileURLToPath(new URL('../..', import.meta.url))

t.setTimeout(900_000)

/** Runs suites for a moment, after one build, and returns their tables. */
async function runShort(names: string[]): Promise<string> {
  // tap passes its hooks to every child process in NODE_OPTIONS; the compiler crashes with them.
  const command = [
    '-u',
    'NODE_OPTIONS',
    process.execPath,
    '--import',
    import.meta.resolve('tsx'),
    'bench/run.ts'
  ]
  const { stdout } = await run('env', [...command, '--short', ...names], { cwd: root })
  return stdout
}

/** The tables of a suite, which have an empty line between them. */
const tablesOf = (output: string, suite: string) =>
  output.split('\n\n').filter(table => table.startsWith(`${suite}/`))

/** The benchmarks with results. */
const measured = (tables: string[]) =>
  tables.flatMap(table => /^\S+\/(\S+): .*\n.*measured/.exec(table)?.[1] ?? [])

/** The number of submissions and reads without the right answer, in each table that counts them. */
const failures = (tables: string) =>
  [
    ...tables.matchAll(/^ {2}(?:\S*, )?(?:failed|not committed|SIGTERM: requests that failed) {2,}(\S+)/gm)
  ].map(([, count]) => count)

const suites = {
  reads: { benchmarks: ['cached', 'status', 'quote'], failures: 6 },
  start: { benchmarks: ['time', 'memory', 'install'], failures: 0 },
  submit: { benchmarks: ['fill', 'latency', 'engine', 'endurance'], failures: 4 },
  growth: { benchmarks: ['clients', 'history', 'store'], failures: 2 },
  replicas: { benchmarks: ['hand-over', 'fill', 'latency', 'engine', 'cost', 'reads'], failures: 6 },
  soak: { benchmarks: ['soak'], failures: 1 }
}

test('the benchmarks run through, and nothing fails', async t => {
  const output = await runShort(Object.keys(suites))
  t.notMatch(output, /NaN|Infinity/)
  for (const [suite, expected] of Object.entries(suites)) {
    const tables = tablesOf(output, suite)
    t.strictSame(measured(tables), expected.benchmarks, suite)
    t.strictSame(failures(tables.join('\n')), new Array(expected.failures).fill('0'), suite)
  }
})
