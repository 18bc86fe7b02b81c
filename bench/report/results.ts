import { type Static, Type } from '@sinclair/typebox'
import { BenchmarkResult } from './figures.ts'
import { Machine } from './machine.ts'

export const Recorded = Type.Object({
  date: Type.String(),
  machine: Machine,
  benchmarks: Type.Array(BenchmarkResult)
})
/** The last recorded run of a suite. */
export type Recorded = Static<typeof Recorded>

/** The contents of `results.json`. */
export const Results = Type.Object({ about: Type.String(), suites: Type.Record(Type.String(), Recorded) })
export type Results = Static<typeof Results>
