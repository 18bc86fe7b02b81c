import type { Fault } from './faults/names.ts'
import { simulate } from './simulate.ts'

export interface Totals {
  schedules: number
  failed: number
  submissions: number
  /** How often the service was started, in all schedules. */
  starts: number
  blocks: number
  seconds: number
}

/** Runs `count` schedules from a seed on; prints each failure and the command that shows its trace. */
export async function simulateMany(options: {
  from: number
  count: number
  only?: readonly Fault[]
  print: (line: string) => void
}): Promise<Totals> {
  const { from, count, only, print } = options
  const totals = { schedules: count, failed: 0, submissions: 0, starts: 0, blocks: 0 }
  const { stackTraceLimit } = Error
  const startedAt = performance.now()
  // Each interrupted pause creates an error whose stack nobody reads.
  Error.stackTraceLimit = 0
  for (let seed = from; seed < from + count; seed++) {
    const { failures, submissions, starts, blocks } = await simulate(seed, only === undefined ? {} : { only })
    totals.submissions += submissions
    totals.starts += starts
    totals.blocks += blocks
    if (failures.length === 0) continue
    totals.failed += 1
    print(`${failures[0]} (npm run simulate -- --seed ${seed})`)
  }
  Error.stackTraceLimit = stackTraceLimit
  return { ...totals, seconds: Math.round((performance.now() - startedAt) / 1000) }
}
