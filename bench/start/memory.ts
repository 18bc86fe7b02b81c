import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark } from '../lab.ts'
import { startNetwork } from '../processes/network.ts'
import { untilHealthy } from '../processes/server.ts'
import { comparison } from '../report/chart/compare.ts'
import type { Figure } from '../report/figures.ts'
import { median } from '../statistics.ts'
import { bare, type Launch, service } from './launch.ts'

const NETWORK = { blockTimeMs: 1000, maxBlockGas: 40_000_000 }
const ROUNDS = 5
const IDLE_MS = 5000
const SHORT_MS = 500

/** The memory of an idle process, in megabytes. */
async function idle(launch: Launch, directory: string, ms: number): Promise<number> {
  await mkdir(directory)
  const serving = await launch(directory)
  await untilHealthy(serving)
  await delay(ms)
  const { rss } = await serving.usage()
  await serving.stop()
  return rss / 1e6
}

/** The memory of the built server while it has no requests, compared with a bare Fastify. */
export const memory: Benchmark = async lab => {
  const network = await startNetwork(lab, NETWORK)
  lab.teardown(network.stop)
  const [own, bares]: [number[], number[]] = [[], []]
  const [rounds, ms] = lab.isShort ? [1, SHORT_MS] : [ROUNDS, IDLE_MS]
  for (let round = 0; round < rounds; round++) {
    const directory = (name: string) => join(lab.directory, `${name}-${round}`)
    const [one, other] = await Promise.all([
      idle(service(network, lab), directory('service'), ms),
      idle(bare(lab), directory('bare'), ms)
    ])
    own.push(one)
    bares.push(other)
  }
  const figure: Figure = {
    name: 'memory of the idle process',
    unit: 'MB',
    value: median(own),
    beside: [{ label: 'bare Fastify', value: median(bares) }]
  }
  return {
    name: 'memory',
    conditions: `the whole resident memory ${IDLE_MS / 1000} s after the first answer of /health, while the server follows the chain; ${ROUNDS} rounds; medians`,
    figures: [
      figure,
      {
        name: 'the same as a ratio to bare',
        unit: '',
        value: median(own) / median(bares),
        target: { atMost: 1.5 }
      }
    ],
    charts: [comparison('memory', 'Memory of the idle process', { memory: figure })],
    notes: []
  }
}
