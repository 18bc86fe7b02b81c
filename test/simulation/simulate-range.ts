import { BinaryWriter } from 'cosmjs-types/binary'
import type { Fault } from './faults/names.ts'
import { simulate } from './simulate.ts'

export interface Schedule {
  seed: number
  /** The faults to choose from. */
  only: readonly Fault[]
}

/** Every `step`th seed from `from` up to, but not including, `end`, after the schedules `first`. */
export interface Seeds {
  first: readonly Schedule[]
  from: number
  end: number
  step: number
  only: readonly Fault[]
}

// Allocates only the bytes needed: the default buffer is 8 KiB per message.
BinaryWriter.alloc = size => new Uint8Array(size)
// Disables stack traces: every interrupted pause creates an error whose stack is never read.
Error.stackTraceLimit = 0

const { first, from, end, step, only }: Seeds = JSON.parse(process.argv[2] ?? '')
const play = async ({ seed, only }: Schedule) => process.send?.(await simulate(seed, { only }))
for (const schedule of first) await play(schedule)
for (let seed = from; seed < end; seed += step) await play({ seed, only })
