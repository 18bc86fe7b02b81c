import { availableParallelism } from 'node:os'
import type { Pool } from 'undici'
import { ROUTE } from '../../test/helpers/transfer.ts'
import type { Benchmark } from '../lab.ts'
import { during, poolFor, submitTo } from '../load/clients.ts'
import { startNetwork } from '../processes/network.ts'
import { startDatabaseServer } from '../processes/postgres.ts'
import { createReplicas } from '../processes/replicas.ts'
import type { Server } from '../processes/server.ts'
import type { Figure } from '../report/figures.ts'
import { sum } from '../statistics.ts'

const NETWORK = { blockTimeMs: 1000, maxBlockGas: 40_000_000 }
const REPLICAS = 3

/** Connections, over all replicas. */
const CLIENTS = 48

const MEASURED_MS = 5000
const WARM_UP_MS = 2000
const SHORT_MS = 300

/** CPU seconds for each second. */
interface Cores {
  replicas: number
  database: number
  network: number
  clients: number
}

interface Reading {
  perSecond: number
  /** CPU time of the replicas for each request, in microseconds. */
  cpuEach: number
  failed: number
  cores: Cores
}

/** Whether reads grow with the number of replicas. */
export const reads: Benchmark = async lab => {
  const database = await startDatabaseServer(lab)
  const network = await startNetwork(lab, NETWORK)
  lab.teardown(network.stop)
  const { running, start } = createReplicas(lab, network, await database.createDatabase())
  await Promise.all(Array.from({ length: REPLICAS }, start))
  const pools = running.map(({ url }) => poolFor(url, CLIENTS))
  const [pool] = pools
  if (pool === undefined) throw new TypeError('no replica runs')
  const { txId, submissionId } = await submitTo(pool)
  const paths: [name: string, path: () => string][] = [
    ['GET /health', () => '/health'],
    ['GET /chains', () => '/chains'],
    ['status of a transaction', () => `/tx/${txId}/status`],
    ['status of a submission', () => `/submissions/${submissionId}`],
    ['quote', quotePath]
  ]

  async function cpuTimes(replicas: readonly Server[]) {
    const usages = await Promise.all(replicas.map(replica => replica.usage()))
    const { user, system } = process.cpuUsage()
    return {
      at: performance.now(),
      replicas: sum(usages.map(({ cpuMs }) => cpuMs)),
      database: database.cpuMs(),
      network: (await network.usage()).cpuMs,
      clients: (user + system) / 1000
    }
  }

  /** Reads for that long, with as many connections to each of these replicas. */
  async function readFor(ms: number, pools: readonly Pool[], path: () => string) {
    const more = during(ms)
    const counts = { requests: 0, failed: 0 }
    async function client(pool: Pool): Promise<void> {
      while (more()) {
        const { statusCode, body } = await pool.request({ method: 'GET', path: path() })
        await body.dump()
        counts.requests += 1
        if (statusCode !== 200) counts.failed += 1
      }
    }
    const each = Math.floor(CLIENTS / pools.length)
    await Promise.all(pools.flatMap(pool => Array.from({ length: each }, () => client(pool))))
    return counts
  }

  async function measure(path: () => string, count: number): Promise<Reading> {
    const some = pools.slice(0, count)
    await readFor(lab.isShort ? SHORT_MS : WARM_UP_MS, some, path)
    const before = await cpuTimes(running.slice(0, count))
    const { requests, failed } = await readFor(lab.isShort ? SHORT_MS : MEASURED_MS, some, path)
    const after = await cpuTimes(running.slice(0, count))
    const ms = after.at - before.at
    const part = (who: keyof Cores) => (after[who] - before[who]) / ms
    const cores = {
      replicas: part('replicas'),
      database: part('database'),
      network: part('network'),
      clients: part('clients')
    }
    const cpuMs = after.replicas - before.replicas
    return { perSecond: (requests * 1000) / ms, cpuEach: (cpuMs * 1000) / requests, failed, cores }
  }

  const readings = new Map<string, Reading[]>()
  for (const [name, path] of paths) {
    const results: Reading[] = []
    for (let count = 1; count <= REPLICAS; count += 1) results.push(await measure(path, count))
    readings.set(name, results)
  }
  await Promise.all(pools.map(pool => pool.close()))

  return {
    name: 'reads',
    conditions:
      `${CLIENTS} connections that read all the time, from ${REPLICAS} replicas and from one; load generator, database, ` +
      `network and replicas share ${availableParallelism()} cores`,
    figures: [
      {
        name: 'CPU time of a request with 3 replicas, of that with 1, at most',
        unit: '%',
        value: 100 * Math.max(...[...readings.values()].map(growthOf)),
        target: { atMost: 150 }
      },
      ...[...readings].flatMap(([name, results]) => figuresOf(name, results)),
      {
        name: 'failed',
        unit: '',
        value: sum([...readings.values()].flat().map(({ failed }) => failed)),
        target: { atMost: 0 }
      }
    ],
    notes: [...readings].map(([name, results]) => `${name}: ${results.map(coresOf).join('; ')}.`)
  }
}

function quotePath(): string {
  const amount = `${1 + Math.floor(Math.random() * 1000)}.5`
  return `/submit/fees?${new URLSearchParams({ ...ROUTE, amount })}`
}

const growthOf = (results: readonly Reading[]) => (results.at(-1)?.cpuEach ?? 0) / (results[0]?.cpuEach ?? 0)

function figuresOf(name: string, results: readonly Reading[]): Figure[] {
  const [first, last] = [results[0], results.at(-1)]
  if (first === undefined || last === undefined) return []
  const beside = (value: number) => [{ label: '1 replica', value }]
  return [
    {
      name: `${name}: per second, 3 replicas`,
      unit: '/s',
      value: last.perSecond,
      beside: beside(first.perSecond)
    },
    {
      name: `${name}: CPU time each, 3 replicas`,
      unit: 'µs',
      value: last.cpuEach,
      beside: beside(first.cpuEach)
    }
  ]
}

/** The rate, and the cores that were in use for it, to see what binds. */
function coresOf({ perSecond, cores }: Reading, index: number): string {
  const { replicas, database, network, clients } = cores
  const number = (value: number) => value.toFixed(2)
  return (
    `${index + 1}: ${Math.round(perSecond)}/s with ${number(replicas)} cores for replicas, ${number(clients)} for clients, ` +
    `${number(database)} for the database, ${number(network)} for the network`
  )
}
