import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t, test } from '../helpers/tap.ts'

const run = promisify(execFile)

const root = fileURLToPath(new URL('../..', import.meta.url))

t.setTimeout(900_000)

/** Runs benchmarks for a moment, and returns their tables. */
async function runShort(...names: string[]): Promise<string> {
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

/** The benchmarks with results. */
const measured = (tables: string) =>
  [...tables.matchAll(/^(\S+\/\S+): .*\n.*measured/gm)].map(([, name]) => name)

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

for (const [suite, expected] of Object.entries(suites)) {
  test(`the benchmarks of ${suite} run through, and nothing fails`, async t => {
    const tables = await runShort(suite)
    t.strictSame(
      measured(tables),
      expected.benchmarks.map(name => `${suite}/${name}`)
    )
    t.strictSame(failures(tables), new Array(expected.failures).fill('0'))
    t.notMatch(tables, /NaN|Infinity/)
  })
}
