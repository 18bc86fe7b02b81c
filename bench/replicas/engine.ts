import type { Benchmark } from '../lab.ts'
import { startNetwork } from '../processes/network.ts'
import { startDatabaseServer } from '../processes/postgres.ts'
import { serviceEnv } from '../processes/server.ts'
import { type EngineRun, IN_FLIGHT, NETWORK, perCore, perSecond, runEngine } from '../submit/engine.ts'

/** How many submissions one core signs and tracks with a PostgreSQL database, beside the embedded store. */
export const engine: Benchmark = async lab => {
  const database = await startDatabaseServer(lab)
  const network = await startNetwork(lab, NETWORK)
  lab.teardown(network.stop)
  const env = serviceEnv(network, lab.directory)
  const embedded = await runEngine(lab, network, env)
  const readings: number[] = []
  const shared = await runEngine(
    lab,
    network,
    { ...env, DATABASE_URL: await database.createDatabase() },
    () => readings.push(database.cpuMs())
  )
  const [before = Number.NaN, after = Number.NaN] = readings
  const databaseCpuMs = after - before
  const percent = (cpuMs: number, { ms }: EngineRun) => `${Math.round((100 * cpuMs) / ms)} %`
  const beside = (value: number) => [{ label: 'embedded store', value }]
  return {
    name: 'engine',
    conditions:
      `the engine alone in a process of its own, ${IN_FLIGHT} submissions on their way, with the embedded store and then with ` +
      `PostgreSQL; blocks of ${NETWORK.blockTimeMs} ms and ${NETWORK.maxBlockGas} gas`,
    figures: [
      {
        name: 'submissions per second of one core',
        unit: '/s',
        value: perCore(shared),
        target: { atLeast: 2000 },
        beside: beside(perCore(embedded))
      },
      {
        name: 'submissions per second',
        unit: '/s',
        value: perSecond(shared),
        beside: beside(perSecond(embedded))
      },
      {
        name: 'CPU time of the database for each submission',
        unit: 'µs',
        value: (databaseCpuMs * 1000) / shared.settled
      },
      {
        name: 'not committed',
        unit: '',
        value: shared.others,
        target: { atMost: 0 },
        beside: beside(embedded.others)
      }
    ],
    notes: [
      `Of a core the engine took ${percent(shared.cpuMs, shared)}, the database ${percent(databaseCpuMs, shared)}, the ` +
        `network ${percent(shared.networkCpuMs, shared)}; with the embedded store the engine took ` +
        `${percent(embedded.cpuMs, embedded)}.`
    ]
  }
}
