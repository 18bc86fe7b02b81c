import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Result } from './report.ts'

/** The environment that a benchmark runs in. */
export interface Lab {
  /** A temporary folder, deleted when the benchmark ends. */
  directory: string
  /** Whether to run only a smoke test, with the smallest load. */
  isSmallest: boolean
  /** Registers a cleanup for the end of the benchmark. Cleanups run in reverse order. */
  teardown(action: () => unknown): void
}

export type Benchmark = (lab: Lab) => Promise<Result>

/** Runs a benchmark in a new temporary folder. */
export async function runIn(benchmark: Benchmark, isSmallest: boolean): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'))
  const actions: (() => unknown)[] = [() => rm(directory, { recursive: true, force: true })]
  try {
    return await benchmark({ isSmallest, directory, teardown: action => actions.push(action) })
  } finally {
    for (const action of actions.reverse()) await action()
  }
}
