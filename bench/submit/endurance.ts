import type { Benchmark } from '../lab.ts'
import {
  countOutcomes,
  during,
  isCommitted,
  runClients,
  type Submit,
  serviceClients
} from '../load/clients.ts'
import type { Usage } from '../processes/child.ts'
import { type Network, startNetwork } from '../processes/network.ts'
import { type Server, startServer } from '../processes/server.ts'
import { median, slope, sum } from '../statistics.ts'

/** Blocks that hold far more than one core can do. */
const NETWORK = { blockTimeMs: 1000, maxBlockGas: 2_000_000_000 }
const CLIENTS = 2000
const ROUNDS = 10
const ROUND_SIZE = 10_000

/** No further round begins after this; a slow machine does fewer. */
const LIMIT_MS = 300_000

/** How often the memory of the process at work is read. */
const SAMPLE_MS = 1000

/** The compiler and the caches of a process need some time to settle. */
const WARM_UP_ROUNDS = 3

const MEGABYTE = 1_000_000

interface Round {
  committed: number
  /** How many answers there were of each outcome. */
  outcomes: Record<string, number>
  seconds: number
  /** CPU seconds of the server, of the network and of the clients. */
  cpu: { server: number; network: number; clients: number }
  /** Of the server at work. */
  samples: Usage[]
  /** Of the server at rest, when all have their answers and its garbage is collected. */
  atRest: Usage
}

/** One round: that many submissions, every one of which is answered when it ends. */
async function runRound(server: Server, network: Network, submit: Submit): Promise<Round> {
  const before = { server: await server.usage(), network: await network.usage(), clients: process.cpuUsage() }
  const samples: Usage[] = []
  const sampler = setInterval(async () => samples.push(await server.usage()), SAMPLE_MS)
  let left = ROUND_SIZE
  const answers = await runClients(CLIENTS, submit, () => left-- > 0)
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

/** The number of the round, with its fraction, and megabytes. */
type Point = { x: number; y: number }

const heapAtRest = (rounds: readonly Round[]): Point[] =>
  rounds.map(({ atRest }, index) => ({ x: index, y: atRest.heapUsed / MEGABYTE }))

const memoryAtWork = (rounds: readonly Round[]): Point[] =>
  rounds.flatMap(({ samples }, index) =>
    samples.map(({ rss }, position) => ({ x: index + position / samples.length, y: rss / MEGABYTE }))
  )

/** Megabytes that are added in 100,000 submissions, by the straight line through the points. */
const growth = (points: readonly Point[]) => slope(points) * (100_000 / ROUND_SIZE)

/** What 100,000 submissions cost the server process in time and memory, over HTTP and with all that belongs to it. */
export const endurance: Benchmark = async ({ directory, nodeArgs }) => {
  const network = await startNetwork(directory, NETWORK)
  try {
    const server = await startServer(network, { directory, nodeArgs })
    const { submit, close } = serviceClients(server.url, CLIENTS)
    const rounds: Round[] = []
    const more = during(LIMIT_MS)
    while (rounds.length < ROUNDS && more()) rounds.push(await runRound(server, network, submit))
    await close()
    await server.stop()

    const warm = rounds.slice(WARM_UP_ROUNDS)
    const committed = sum(rounds.map(round => round.committed))
    const cpu = (who: keyof Round['cpu']) =>
      sum(warm.map(round => round.cpu[who])) / sum(warm.map(({ seconds }) => seconds))
    const percent = (who: keyof Round['cpu']) => `${Math.round(100 * cpu(who))} %`
    const [heap, memory] = [heapAtRest(warm), memoryAtWork(warm)]
    return {
      name: 'endurance',
      conditions:
        `the whole server process; ${rounds.length} rounds of ${ROUND_SIZE} submissions from ${CLIENTS} clients, the first ` +
        `${WARM_UP_ROUNDS} to warm up; blocks of ${NETWORK.blockTimeMs} ms and ${NETWORK.maxBlockGas} gas`,
      figures: [
        { name: 'failed', unit: '', value: rounds.length * ROUND_SIZE - committed, target: { atMost: 0 } },
        {
          name: 'submissions per second of one core, HTTP included',
          unit: '/s',
          value: median(warm.map(round => round.committed / round.cpu.server))
        },
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
      notes: [
        `Of a core the server took ${percent('server')}, the network ${percent('network')}, the clients ${percent('clients')}.`,
        ...rounds.flatMap(({ outcomes }, index) =>
          outcomes['committed'] === ROUND_SIZE ? [] : [`Round ${index + 1}: ${JSON.stringify(outcomes)}.`]
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
