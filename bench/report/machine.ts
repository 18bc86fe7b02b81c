import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { type Static, Type } from '@sinclair/typebox'

export const Machine = Type.Object({
  cores: Type.Number(),
  processor: Type.String(),
  memoryGB: Type.Number(),
  platform: Type.String(),
  node: Type.String(),
  /** The load average of the minute before the run. */
  loadBefore: Type.Number()
})
/** What the figures depend on: the machine and its load when the run began. */
export type Machine = Static<typeof Machine>

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGB: Math.round(totalmem() / 1e9),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(1))
  }
}
