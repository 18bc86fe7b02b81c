import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Result } from './report.ts'

/** What every benchmark gets. */
export interface Lab {
  /** A new folder, deleted when the benchmark ends. */
  directory: string
  /** Whether to do as little as possible, to see that everything works. */
  isSmallest: boolean
  /** Runs this when the benchmark ends, the last one first. */
  teardown(action: () => unknown): void
}

export type Benchmark = (lab: Lab) => Promise<Result>

/** Runs a benchmark in a new folder. */
export async function runIn(benchmark: Benchmark, isSmallest: boolean): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'))
  const actions: (() => unknown)[] = [() => rm(directory, { recursive: true, force: true })]
  try {
    return await benchmark({ isSmallest, directory, teardown: action => actions.push(action) })
  } finally {
    for (const action of actions.reverse()) await action()
  }
}
