import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '../../test/helpers/postgres/index.ts'
import { until } from '../../test/helpers/until.ts'
import type { Benchmark, Lab } from './lab.ts'
import { fullness, fullnessFigures, load } from './load.ts'
import { type Network, startNetwork } from './processes/network.ts'
import { type Server, startService, untilReady } from './processes/server.ts'
import type { Figure } from './report.ts'
import { median, sum } from './statistics.ts'
import { type Answer, connect, runClients, wrongOf } from './submissions.ts'

/** Minimum number of replicas for a takeover. */
const SMALLEST_REPLICAS = 2
const REPLICAS = 3

/** Database settings as in production, where commits wait for the disk. */
const DURABLE = ['-c', 'fsync=on', '-c', 'full_page_writes=on']

/** Starts a database. @returns a function that starts the missing replicas */
async function prepareReplicas(lab: Lab, network: Network): Promise<(running: Server[]) => Promise<void>> {
  const { createDatabase } = await startPostgres(lab, ...DURABLE)
  const env = { DATABASE_URL: await createDatabase() }
  const wanted = lab.isSmallest ? SMALLEST_REPLICAS : REPLICAS
  return async running => {
    const missing = Array.from({ length: wanted - running.length }, () => startService(lab, network, env))
    const started = await Promise.all(missing)
    await Promise.all(started.map(untilReady))
    running.push(...started)
  }
}

const FILL = {
  network: { blockTimeMs: 1000, maxBlockGas: 8_000_000 },
  scale: { clients: 256, warmUp: 1000, count: 5000 }
}

/**
 * Measures how full blocks are with three replicas on one database, compared with one process and the embedded store.
 */
const fill: Benchmark = async lab => {
  const scale = lab.isSmallest ? { clients: 3, warmUp: 3, count: 6 } : FILL.scale
  const network = await startNetwork(lab, FILL.network)
  const single = await startService(lab, network)
  await untilReady(single)
  const alone = await load([single], scale)
  await single.stop()
  const running: Server[] = []
  await (await prepareReplicas(lab, network))(running)
  const together = await load(running, scale)
  const label = 'one process, embedded store'
  return {
    title: 'Blocks of three replicas',
    conditions:
      `${FILL.scale.clients} clients on ${REPLICAS} replicas by turns, ${FILL.scale.count} submissions; blocks of ` +
      `${FILL.network.blockTimeMs} ms and ${FILL.network.maxBlockGas} gas. The CPU time is that of all replicas, without the database.`,
    figures: [
      ...fullnessFigures(fullness(network, FILL.network, together), 99, [
        label,
        fullness(network, FILL.network, alone)
      ]),
      {
        name: 'submissions per second',
        unit: '/s',
        value: together.perSecond,
        compared: { [label]: alone.perSecond }
      },
      {
        name: 'CPU time of a submission, HTTP included',
        unit: 'ms',
        value: together.cpuMs,
        compared: { [label]: alone.cpuMs }
      }
    ],
    wrong: await wrongOf(network, [...alone.answers, ...together.answers])
  }
}

const HAND_OVER = {
  network: { blockTimeMs: 250, maxBlockGas: 8_000_000 },
  /** `ms` is how long the load runs before the leader is stopped, and how long it continues afterwards. */
  scale: { clients: 64, rounds: 5, ms: 4000 }
}

/** Reads from a replica's log the newest term that the replica has started. */
async function newestTerm({ logPath }: Server): Promise<number> {
  const log = await readFile(logPath, 'utf8')
  const [last] = [...log.matchAll(/"epoch":(\d+),"msg":"engine ready"/g)].slice(-1)
  return Number(last?.[1] ?? 0)
}

/** Waits for a term newer than `after`. @returns the term and the replica that leads in it */
async function leaderOf(
  replicas: readonly Server[],
  after: number
): Promise<{ leader: Server; term: number }> {
  return until(async () => {
    for (const leader of replicas) {
      const term = await newestTerm(leader)
      if (term > after && (await highestTerm(replicas)) === term) return { leader, term }
    }
    return false
  }, 'a replica leads')
}

const highestTerm = async (replicas: readonly Server[]) =>
  Math.max(...(await Promise.all(replicas.map(newestTerm))))

/** How stopping the leader affects clients. Times are in milliseconds. */
interface Round {
  /** The longest time without a response, after the signal. */
  pause: number
  /** The longest time without a response, before the signal. */
  pauseBefore: number
}

/** Returns the longest time between two responses from `start` to `end`. */
function longestPause(answers: readonly Answer[], start: number, end: number): number {
  const at = answers.map(({ answeredAt }) => answeredAt).filter(time => time > start && time < end)
  const all = [start, ...at.sort((one, other) => one - other), end]
  return Math.max(...all.map((time, index) => time - (all[index - 1] ?? time)))
}

/** Measures how long submissions wait when the leader is stopped under load. */
const handOver: Benchmark = async lab => {
  const { clients, rounds, ms } = lab.isSmallest ? { clients: 2, rounds: 1, ms: 0 } : HAND_OVER.scale
  const network = await startNetwork(lab, HAND_OVER.network)
  const start = await prepareReplicas(lab, network)
  const running: Server[] = []
  await start(running)
  const { submit, close } = connect(running, clients)
  let answers: readonly Answer[] = []
  let isOver = false
  const work = runClients(clients, submit, present => {
    answers = present
    return !isOver
  })

  /** Waits `ms`, then until a submission sent at `begin` or later has a response. @returns `begin` */
  async function underLoad(begin = Date.now()): Promise<number> {
    await delay(ms)
    await until(() => answers.some(({ sentAt }) => sentAt >= begin), 'a submission has a response')
    return begin
  }

  let newest = 0
  async function runRound(signal: NodeJS.Signals): Promise<Round> {
    await start(running)
    const beganAt = await underLoad()
    const { leader, term } = await leaderOf(running, newest)
    // Remove the leader first, like a load balancer before a planned shutdown.
    running.splice(running.indexOf(leader), 1)
    const signalledAt = Date.now()
    await leader.stop(signal)
    await leaderOf(running, term)
    newest = term
    await underLoad(signalledAt)
    return {
      pause: longestPause(answers, signalledAt, Date.now()),
      pauseBefore: longestPause(answers, beganAt, signalledAt)
    }
  }

  const [killed, stopped]: [Round[], Round[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    killed.push(await runRound('SIGKILL'))
    stopped.push(await runRound('SIGTERM'))
  }
  isOver = true
  await work
  await close()

  const pauses = (what: string, of: Round[], atMost: number): Figure[] => [
    {
      name: `${what}: longest time without a response, median`,
      unit: 'ms',
      value: median(of.map(({ pause }) => pause)),
      compared: { 'before it': median(of.map(({ pauseBefore }) => pauseBefore)) }
    },
    {
      name: `${what}: longest of all rounds`,
      unit: 'ms',
      value: Math.max(...of.map(({ pause }) => pause)),
      compared: { 'before it': Math.max(...of.map(({ pauseBefore }) => pauseBefore)) },
      limit: { atMost }
    }
  ]
  return {
    title: 'Hand-over',
    conditions:
      `${REPLICAS} replicas under the load of ${HAND_OVER.scale.clients} clients, ${HAND_OVER.scale.rounds} rounds of kill -9 of ` +
      `the leader and ${HAND_OVER.scale.rounds} of SIGTERM; blocks of ${HAND_OVER.network.blockTimeMs} ms, which each response ` +
      'waits for. Clients retry a failed request with the same feeId.',
    figures: [
      ...pauses('kill -9', killed, 5000),
      ...pauses('SIGTERM', stopped, 1000),
      {
        name: 'retried requests',
        unit: '',
        value: sum(answers.map(({ repeats = 0 }) => repeats))
      }
    ],
    wrong: await wrongOf(network, answers)
  }
}

export const replicas = [fill, handOver]
