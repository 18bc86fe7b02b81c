import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { FAILED_SCHEDULES } from './failed-schedules.ts'
import type { Fault } from './plan.ts'
import type { Outcome } from './simulate.ts'
import type { Schedule } from './simulate-range.ts'

const SCRIPT = fileURLToPath(new URL('./simulate-range.ts', import.meta.url))

/** The path of libsql, which contains native code and so is not bundled. */
const LIBSQL = fileURLToPath(import.meta.resolve('libsql'))

/** Number of schedules that are worth the start of another process. */
const SHARE = 100

/**
 * Bundles the worker script. Running the script with tsx would be slow: whenever a function is created, code that tsx
 * adds sets its name.
 */
async function bundle(folder: string): Promise<string> {
  const outfile = join(folder, 'simulate-range.mjs')
  const banner = {
    js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`
  }
  await build({
    entryPoints: [SCRIPT],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner,
    alias: { libsql: LIBSQL },
    external: [LIBSQL]
  })
  return outfile
}

/**
 * Runs many schedules, and those that once failed, in one process per CPU. `print` receives a line for each that fails.
 */
export async function simulateMany(
  { from, count, only }: { from: number; count: number; only: readonly Fault[] },
  print: (line: string) => void
) {
  const fresh = Array.from({ length: count }, (_, index): Schedule => ({ seed: from + index, only }))
  const schedules = [...FAILED_SCHEDULES, ...fresh]
  const totals = { schedules: schedules.length, failed: 0, submissions: 0, starts: 0, blocks: 0 }
  const startedAt = performance.now()
  const step = Math.min(availableParallelism(), Math.ceil(count / SHARE))

  function add({ seed, faults, failures: [failure], submissions, starts, blocks }: Outcome): void {
    totals.submissions += submissions
    totals.starts += starts
    totals.blocks += blocks
    if (failure === undefined) return
    totals.failed += 1
    print(`${failure} (npm run simulate -- --seed ${seed} --only ${faults.join() || 'none'})`)
  }

  async function run(script: string, index: number): Promise<void> {
    const own = schedules.filter((_, place) => place % step === index)
    const child = fork(script, { execArgv: [] }).on('message', add)
    child.send(own)
    const [code, signal] = await once(child, 'close')
    if (code !== 0) throw new Error(`a simulation process exited with ${signal ?? `code ${code}`}`)
  }

  const folder = await mkdtemp(join(tmpdir(), 'simulation-'))
  try {
    const script = await bundle(folder)
    await Promise.all(Array.from({ length: step }, (_, index) => run(script, index)))
  } finally {
    await rm(folder, { recursive: true })
  }
  return { ...totals, seconds: Math.round((performance.now() - startedAt) / 1000) }
}
