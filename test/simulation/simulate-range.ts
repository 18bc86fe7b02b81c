import { BinaryWriter } from 'cosmjs-types/binary'
import type { Fault } from './faults/names.ts'
import { simulate } from './simulate.ts'

/** Every `step`th seed from `from` up to, but not including, `end`. */
export interface Seeds {
  from: number
  end: number
  step: number
  only: readonly Fault[]
}

// Allocates only the bytes needed: the default buffer is 8 KiB per message.
BinaryWriter.alloc = size => new Uint8Array(size)
// Disables stack traces: every interrupted pause creates an error whose stack is never read.
Error.stackTraceLimit = 0

const { from, end, step, only }: Seeds = JSON.parse(process.argv[2] ?? '')
for (let seed = from; seed < end; seed += step) process.send?.(await simulate(seed, { only }))
