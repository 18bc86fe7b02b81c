import { BinaryWriter } from 'cosmjs-types/binary'
import type { Fault } from './plan.ts'
import { simulate } from './simulate.ts'

export interface Schedule {
  seed: number
  only: readonly Fault[]
}

// Allocates only the bytes needed: the default buffer is 8 KiB per message.
BinaryWriter.alloc = size => new Uint8Array(size)
// Disables stack traces: every interrupted pause creates an error whose stack is never read.
Error.stackTraceLimit = 0

process.once('message', async (schedules: Schedule[]) => {
  for (const { seed, only } of schedules) process.send?.(await simulate(seed, { only }))
  process.disconnect()
})
