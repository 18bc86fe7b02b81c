import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { test } from 'tap'

const run = promisify(execFile)

const root = fileURLToPath(new URL('../..', import.meta.url))

t.setTimeout(600_000)

test('the benchmarks of replicas and of reads run through, and no submission fails', async t => {
  // tap passes its hooks to every child process in NODE_OPTIONS; the compiler crashes with them.
  const command = [
    '-u',
    'NODE_OPTIONS',
    process.execPath,
    '--import',
    import.meta.resolve('tsx'),
    'bench/run.ts'
  ]
  const { stdout } = await run('env', [...command, '--short', 'replicas', 'reads'], { cwd: root })
  for (const name of ['hand-over', 'fill', 'latency', 'engine', 'cost', 'reads', 'cached']) {
    t.match(stdout, new RegExp(`^${name}: .*\\n.*measured`, 'm'))
  }
  const unanswered = [
    ...stdout.matchAll(/^ {2}(?:failed|not committed|SIGTERM: requests that failed) +(\S+)/gm)
  ]
  t.strictSame(
    unanswered.map(([, count]) => count),
    ['0', '0', '0', '0', '0', '0']
  )
  t.notMatch(stdout, /NaN/)
})
