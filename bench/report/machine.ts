import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** What the figures depend on: the machine and its load when the run began. */
export interface Machine {
  cores: number
  processor: string
  memoryGB: number
  platform: string
  node: string
  /** The load average of the minute before the run. */
  loadBefore: number
}

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
