import { clients } from './growth/clients.ts'
import { history } from './growth/history.ts'
import { store } from './growth/store.ts'
import type { Benchmark } from './lab.ts'
import { cached } from './reads/cached.ts'
import { quote } from './reads/quote.ts'
import { status } from './reads/status.ts'
import { cost } from './replicas/cost.ts'
import { engine as engineOnPostgres } from './replicas/engine.ts'
import { fill as fillOnPostgres } from './replicas/fill.ts'
import { handOver } from './replicas/hand-over.ts'
import { latency as latencyOnPostgres } from './replicas/latency.ts'
import { reads } from './replicas/reads.ts'
import { soak } from './soak/soak.ts'
import { install } from './start/install.ts'
import { memory } from './start/memory.ts'
import { time } from './start/time.ts'
import { endurance } from './submit/endurance.ts'
import { engine } from './submit/engine.ts'
import { fill } from './submit/fill.ts'
import { latency } from './submit/latency.ts'

/** The suites of `npm run bench`, each with its benchmarks in the order in which they run. */
export const suites: Record<string, Record<string, Benchmark>> = {
  reads: { cached, status, quote },
  start: { time, memory, install },
  submit: { fill, latency, engine, endurance },
  growth: { clients, history, store },
  replicas: {
    'hand-over': handOver,
    fill: fillOnPostgres,
    latency: latencyOnPostgres,
    engine: engineOnPostgres,
    cost,
    reads
  },
  soak: { soak }
}

/** A test more than a measurement: it runs only when it is named, and fails when it misses a target. */
export const DEMANDING = 'soak'
