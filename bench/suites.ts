import type { Benchmark } from './lab.ts'
import { endurance } from './submit/endurance.ts'
import { engine } from './submit/engine.ts'
import { fill } from './submit/fill.ts'
import { history } from './submit/history.ts'
import { latency } from './submit/latency.ts'

/** The suites of `npm run bench`, each with its benchmarks in the order in which they run. */
export const suites: Record<string, Record<string, Benchmark>> = {
  submit: { fill, latency, engine, endurance, history }
}
