import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchmarkResult } from './report/figures.ts'

/** What every benchmark is given. */
export interface Lab {
  /** A folder of the benchmark's own, gone when it ends. */
  directory: string
  /** More arguments of node for the measured process. */
  nodeArgs: string[]
}

export type Benchmark = (lab: Lab) => Promise<BenchmarkResult>

/** Runs a benchmark in a folder of its own. */
export async function runIn(benchmark: Benchmark, lab: Omit<Lab, 'directory'>): Promise<BenchmarkResult> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'))
  try {
    return await benchmark({ ...lab, directory })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
