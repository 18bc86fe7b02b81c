import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../helpers/repository.ts'
import { FAILED_SCHEDULES } from './failed-schedules.ts'
import type { Fault } from './plan.ts'
import type { Outcome } from './simulate.ts'
import type { Schedule } from './simulate-range.ts'

/** Number of schedules that are worth the start of another process. */
const SHARE = 100

/** A line is printed each time that so many schedules have been played. */
const PROGRESS = 500

/** Runs many schedules, and those that once failed, one process per CPU. @param print gets a line for each failure */
export async function simulateMany(
  { from, count, only }: { from: number; count: number; only: readonly Fault[] },
  print: (line: string) => void
) {
  const fresh = Array.from({ length: count }, (_, index): Schedule => ({ seed: from + index, only }))
  const schedules = [...FAILED_SCHEDULES, ...fresh]
  const totals = { schedules: 0, failed: 0, submissions: 0, starts: 0, blocks: 0 }
  const startedAt = performance.now()
  const step = Math.min(availableParallelism(), Math.ceil(count / SHARE))

  function add({ seed, faults, failures: [failure], submissions, starts, blocks }: Outcome): void {
    totals.submissions += submissions
    totals.starts += starts
    totals.blocks += blocks
    totals.schedules += 1
    if (totals.schedules % PROGRESS === 0)
      print(`${totals.schedules} of ${schedules.length} schedules played`)
    if (failure === undefined) return
    totals.failed += 1
    print(`${failure} (npm run simulate -- --seed ${seed} --only ${faults.join() || 'none'})`)
  }

  async function run(_: unknown, index: number): Promise<void> {
    const child = fork(outfile, { execArgv: [] }).on('message', add)
    child.send(schedules.filter((_, place) => place % step === index))
    const [code, signal] = await once(child, 'close')
    if (code !== 0) throw new Error(`a simulation process exited with ${signal ?? `code ${code}`}`)
  }

  // With tsx, schedules take a third longer: whenever a function is created, code that tsx adds sets its name.
  const outfile = join(root, `node_modules/.cache/simulate-${process.pid}.mjs`)
  const entryPoints = [join(import.meta.dirname, 'simulate-range.ts')]
  await build({ entryPoints, outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm' })
  try {
    await Promise.all(Array.from({ length: step }, run))
  } finally {
    await rm(outfile)
  }
  return { ...totals, seconds: Math.round((performance.now() - startedAt) / 1000) }
}
