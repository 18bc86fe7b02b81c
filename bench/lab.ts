import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchmarkResult } from './report/figures.ts'

/** The development network, or the chain of `test/real-chain`. */
export const chains = ['devnet', 'real'] as const
export type Chain = (typeof chains)[number]

/** What every benchmark gets. */
export interface Lab {
  chain: Chain
  /** A new folder, deleted when the benchmark ends. */
  directory: string
  /** Additional arguments of node for the measured process. */
  nodeArgs: string[]
  /** Whether to measure only for a moment, to see that everything works. */
  isShort: boolean
  /** How long to measure, where it was said and the benchmark can. */
  minutes: number | undefined
  /** Runs this when the benchmark ends, the last one first. */
  teardown(action: () => unknown): void
}

export type Benchmark = (lab: Lab) => Promise<BenchmarkResult>

/** Runs a benchmark in a new folder. */
export async function runIn(
  benchmark: Benchmark,
  lab: Omit<Lab, 'directory' | 'teardown'>
): Promise<BenchmarkResult> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'))
  const actions: (() => unknown)[] = [() => rm(directory, { recursive: true, force: true })]
  try {
    return await benchmark({ ...lab, directory, teardown: action => actions.push(action) })
  } finally {
    for (const action of actions.reverse()) await action()
  }
}
