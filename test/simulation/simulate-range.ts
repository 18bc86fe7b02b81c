import { BinaryWriter } from 'cosmjs-types/binary'
import type { Fault } from './faults/names.ts'
import { simulate } from './simulate.ts'

/** A range of schedules to run. */
export interface Range {
  from: number
  count: number
  /** The faults to choose from. */
  only: readonly Fault[]
}

export interface RangeResult {
  /** One line per failed schedule, with the command that shows its trace. */
  failures: string[]
  submissions: number
  /** Number of starts of the service in all schedules. */
  starts: number
  blocks: number
}

async function simulateRange({ from, count, only }: Range): Promise<RangeResult> {
  const result: RangeResult = { failures: [], submissions: 0, starts: 0, blocks: 0 }
  for (let seed = from; seed < from + count; seed++) {
    const { failures, submissions, starts, blocks } = await simulate(seed, { only })
    result.submissions += submissions
    result.starts += starts
    result.blocks += blocks
    if (failures.length > 0) result.failures.push(`${failures[0]} (npm run simulate -- --seed ${seed})`)
  }
  return result
}

// Allocates only the bytes needed: the default buffer is 8 KiB per message.
BinaryWriter.alloc = size => new Uint8Array(size)
// Disables stack traces: every interrupted pause creates an error whose stack is never read.
Error.stackTraceLimit = 0
process.on('message', async (range: Range) => process.send?.(await simulateRange(range)))
