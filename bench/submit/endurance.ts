import type { Benchmark } from '../lab.ts'
import {
  countOutcomes,
  during,
  isCommitted,
  runClients,
  type Submit,
  serviceClients
} from '../load/clients.ts'
import { usualWay } from '../load/usual-way.ts'
import type { Usage } from '../processes/child.ts'
import { type Network, startNetwork } from '../processes/network.ts'
import { type Server, startServer } from '../processes/server.ts'
import { comparison } from '../report/chart/compare.ts'
import type { Figure } from '../report/figures.ts'
import { median, slope, sum } from '../statistics.ts'

/** Blocks that hold far more than one core can submit. */
const NETWORK = { blockTimeMs: 1000, maxBlockGas: 2_000_000_000 }

/** `sampleMs` is how often the memory of the working process is read. */
const LONG = { clients: 2000, rounds: 10, roundSize: 10_000, sampleMs: 1000, usualMs: 15_000 }
const SHORT = { clients: 100, rounds: 5, roundSize: 200, sampleMs: 50, usualMs: 500 }
type Scale = typeof LONG

/** No round starts after this, so that a slow machine runs fewer. */
const LIMIT_MS = 300_000

/** Rounds that are not counted, until the compiler and the caches of the process have settled. */
const WARM_UP_ROUNDS = 3

const MEGABYTE = 1_000_000

interface Round {
  committed: number
  /** The number of answers by outcome. */
  outcomes: Record<string, number>
  seconds: number
  /** CPU seconds of server, network and clients. */
  cpu: { server: number; network: number; clients: number }
  /** Usage of the server while it works. */
  samples: Usage[]
  /** Usage of the idle server, after all answers and a garbage collection. */
  atRest: Usage
}

/** Runs one round, whose submissions are all answered when it ends. */
async function runRound(server: Server, network: Network, submit: Submit, scale: Scale): Promise<Round> {
  const before = { server: await server.usage(), network: await network.usage(), clients: process.cpuUsage() }
  const samples: Usage[] = []
  const sampler = setInterval(async () => samples.push(await server.usage()), scale.sampleMs)
  let left = scale.roundSize
  const answers = await runClients(scale.clients, submit, () => left-- > 0)
  clearInterval(sampler)
  const after = { server: await server.usage(), network: await network.usage() }
  const { user, system } = process.cpuUsage(before.clients)
  return {
    committed: answers.filter(isCommitted).length,
    outcomes: countOutcomes(answers),
    seconds: (after.server.at - before.server.at) / 1000,
    cpu: {
      server: (after.server.cpuMs - before.server.cpuMs) / 1000,
      network: (after.network.cpuMs - before.network.cpuMs) / 1000,
      clients: (user + system) / 1_000_000
    },
    samples,
    atRest: await server.usage({ collect: true })
  }
}

/** x: the round, with fractions; y: megabytes. */
type Point = { x: number; y: number }

const heapAtRest = (rounds: readonly Round[]): Point[] =>
  rounds.map(({ atRest }, index) => ({ x: index, y: atRest.heapUsed / MEGABYTE }))

const memoryAtWork = (rounds: readonly Round[]): Point[] =>
  rounds.flatMap(({ samples }, index) =>
    samples.map(({ rss }, position) => ({ x: index + position / samples.length, y: rss / MEGABYTE }))
  )

/** CPU milliseconds of this process for each submission of the usual way, one after the other and without HTTP. */
async function usualCpu(network: Network, ms: number): Promise<number> {
  const submit = await usualWay(network)
  const before = process.cpuUsage()
  const answers = await runClients(1, submit, during(ms))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / answers.filter(isCommitted).length
}

/** How much CPU time and memory 100,000 submissions over HTTP cost the server process. */
export const endurance: Benchmark = async lab => {
  const { directory, nodeArgs } = lab
  const scale = lab.isShort ? SHORT : LONG
  const { clients, roundSize } = scale
  const network = await startNetwork(lab, NETWORK)
  try {
    const server = await startServer(network, { directory, nodeArgs })
    const { submit, close } = serviceClients([server.url], clients)
    const rounds: Round[] = []
    const more = during(LIMIT_MS)
    while (rounds.length < scale.rounds && more()) rounds.push(await runRound(server, network, submit, scale))
    await close()
    await server.stop()

    const warm = rounds.slice(WARM_UP_ROUNDS)
    const committed = sum(rounds.map(round => round.committed))
    const cpu = (who: keyof Round['cpu']) =>
      sum(warm.map(round => round.cpu[who])) / sum(warm.map(({ seconds }) => seconds))
    const percent = (who: keyof Round['cpu']) => `${Math.round(100 * cpu(who))} %`
    const [heap, memory] = [heapAtRest(warm), memoryAtWork(warm)]
    // Megabytes that 100,000 submissions add, by the line that fits the points.
    const growth = (points: readonly Point[]) => slope(points) * (100_000 / roundSize)
    const cpuEach: Figure = {
      name: 'CPU time of a submission, HTTP included',
      unit: 'ms',
      value: median(warm.map(round => (round.cpu.server / round.committed) * 1000)),
      target: { atMost: 0.45 },
      beside: [{ label: 'usual way, without HTTP', value: await usualCpu(network, scale.usualMs) }]
    }
    return {
      name: 'endurance',
      conditions:
        `the whole server process; ${rounds.length} rounds of ${roundSize} submissions from ${clients} clients, the first ` +
        `${WARM_UP_ROUNDS} to warm up; blocks of ${NETWORK.blockTimeMs} ms and ${NETWORK.maxBlockGas} gas`,
      figures: [
        { name: 'failed', unit: '', value: rounds.length * roundSize - committed, target: { atMost: 0 } },
        cpuEach,
        {
          name: 'submissions per second',
          unit: '/s',
          value: median(warm.map(round => round.committed / round.seconds))
        },
        { name: 'heap at rest', unit: 'MB', value: median(heap.map(({ y }) => y)) },
        { name: 'heap grows in 100,000 submissions', unit: 'MB', value: growth(heap), target: { atMost: 5 } },
        { name: 'memory of the process at work', unit: 'MB', value: median(memory.map(({ y }) => y)) },
        {
          name: 'memory grows in 100,000 submissions',
          unit: 'MB',
          value: growth(memory),
          target: { atMost: 50 }
        }
      ],
      charts: [comparison('cpu', 'CPU time of a submission', { 'full batches': cpuEach })],
      notes: [
        `Of a core the server took ${percent('server')}, the network ${percent('network')}, the clients ${percent('clients')}.`,
        ...rounds.flatMap(({ outcomes }, index) =>
          outcomes['committed'] === roundSize ? [] : [`Round ${index + 1}: ${JSON.stringify(outcomes)}.`]
        ),
        `After each round the heap at rest had ${heapAtRest(rounds)
          .map(({ y }) => y.toFixed(1))
          .join(', ')} MB.`
      ]
    }
  } finally {
    await network.stop()
  }
}
