import { setTimeout as delay } from 'node:timers/promises'
import { until } from '../../test/helpers/until.ts'
import type { Benchmark } from '../lab.ts'
import { type Answer, countOutcomes, isCommitted, poolFor, runClients, submitTo } from '../load/clients.ts'
import { startNetwork } from '../processes/network.ts'
import { startDatabaseServer } from '../processes/postgres.ts'
import { createReplicas, findLeader, newestTerm } from '../processes/replicas.ts'
import type { Figure } from '../report/figures.ts'
import { median, sum } from '../statistics.ts'

const NETWORK = { blockTimeMs: 250, maxBlockGas: 8_000_000 }
const REPLICAS = 3
const CLIENTS = 64
const ROUNDS = 10
const SHORT_ROUNDS = 1

/** How long a leader is under load before it ends, and how long the load is looked at after its end. */
const BEFORE_MS = 3000
const AFTER_MS = 4000

/** The pause of a client after a request that failed. */
const PAUSE_MS = 20

/** What clients saw of the end of a leader, in milliseconds. */
interface Round {
  /** From the signal until the next term began. */
  untilTerm: number
  /** From the signal until the first answer to a submission that was sent after it. */
  untilAnswer: number
  /** The longest time without an answer. */
  pause: number
  /** The same in the time before the signal. */
  pauseBefore: number
  /** Requests without a result: sent to a replica that was killed, or answered with an error. */
  failed: number
}

/** How long submissions wait when the leader ends, under load. */
export const handOver: Benchmark = async lab => {
  const database = await startDatabaseServer(lab)
  const network = await startNetwork(lab, NETWORK)
  lab.teardown(network.stop)
  const { running, start, remove } = createReplicas(lab, network, await database.createDatabase())
  const pools = new Map<string, ReturnType<typeof poolFor>>()
  let answers: readonly Answer[] = []
  let isOver = false
  let requests = 0

  async function startOne(): Promise<void> {
    const { url } = await start()
    pools.set(url, poolFor(url, CLIENTS))
  }

  /** Clients use the replicas in turn, as a load balancer makes them, which knows those that end. */
  async function submit() {
    const { url = '' } = running[requests % running.length] ?? {}
    requests += 1
    const pool = pools.get(url)
    const result = pool === undefined ? { outcome: 'no replica' } : await submitTo(pool)
    if (result.outcome !== 'committed') await delay(PAUSE_MS)
    return result
  }

  async function runRound(signal: NodeJS.Signals): Promise<Round> {
    await delay(BEFORE_MS)
    const leader = await until(() => findLeader(running), 'a replica leads')
    const { epoch } = await newestTerm(leader)
    const signalledAt = Date.now()
    remove(leader)
    leader.kill(signal)
    await leader.exited
    await delay(AFTER_MS)
    const end = Date.now()
    const next = await until(() => findLeader(running, epoch), 'another replica leads')
    const { at: beganAt } = await newestTerm(next)
    const committed = answers.filter(isCommitted)
    const failed = answers.filter(answer => answer.answeredAt >= signalledAt && !isCommitted(answer))
    const afterSignal = committed.filter(({ sentAt }) => sentAt >= signalledAt)
    await startOne()
    return {
      untilTerm: beganAt - signalledAt,
      untilAnswer: Math.min(...afterSignal.map(({ answeredAt }) => answeredAt)) - signalledAt,
      pause: longestPause(committed, signalledAt, end),
      pauseBefore: longestPause(committed, signalledAt - BEFORE_MS, signalledAt),
      failed: failed.length
    }
  }

  await Promise.all(Array.from({ length: REPLICAS }, startOne))
  const clients = runClients(CLIENTS, submit, present => {
    answers = present
    return !isOver
  })
  const [killed, stopped]: [Round[], Round[]] = [[], []]
  const rounds = lab.isShort ? SHORT_ROUNDS : ROUNDS
  for (let round = 0; round < rounds; round += 1) {
    killed.push(await runRound('SIGKILL'))
    stopped.push(await runRound('SIGTERM'))
  }
  isOver = true
  await clients
  await Promise.all([...pools.values()].map(pool => pool.destroy()))
  return {
    name: 'hand-over',
    conditions:
      `${REPLICAS} replicas under the load of ${CLIENTS} clients, ${rounds} rounds of kill -9 of the leader and ${rounds} of ` +
      `SIGTERM; blocks of ${NETWORK.blockTimeMs} ms, which each answer waits for`,
    figures: [
      ...figuresOf('kill -9', 'until the next term began', killed, ({ untilTerm }) => untilTerm),
      ...figuresOf(
        'kill -9',
        'until a submission was answered',
        killed,
        ({ untilAnswer }) => untilAnswer,
        5000
      ),
      ...pausesOf('kill -9', killed, 5000),
      ...pausesOf('SIGTERM', stopped, 1000),
      {
        name: 'SIGTERM: requests that failed',
        unit: '',
        value: sum(stopped.map(({ failed }) => failed)),
        target: { atMost: 0 },
        beside: [{ label: 'kill -9', value: sum(killed.map(({ failed }) => failed)) }]
      }
    ],
    notes: [
      `All answers: ${JSON.stringify(countOutcomes(answers))}. What kill -9 fails are the requests that the killed replica had.`
    ]
  }
}

/** The longest time between two answers, from `start` to `end`. */
function longestPause(answers: readonly Answer[], start: number, end: number): number {
  const times = answers.map(({ answeredAt }) => answeredAt).filter(time => time > start && time < end)
  const all = [start, ...times.sort((one, other) => one - other), end]
  return Math.max(...all.map((time, index) => time - (all[index - 1] ?? time)))
}

function figuresOf(
  what: string,
  words: string,
  rounds: readonly Round[],
  value: (round: Round) => number,
  atMost?: number
): Figure[] {
  const values = rounds.map(value)
  return [
    { name: `${what}: ${words}, median`, unit: 'ms', value: median(values) },
    {
      name: `${what}: ${words}, longest`,
      unit: 'ms',
      value: Math.max(...values),
      ...(atMost !== undefined && { target: { atMost } })
    }
  ]
}

function pausesOf(what: string, rounds: readonly Round[], atMost: number): Figure[] {
  const before = rounds.map(({ pauseBefore }) => pauseBefore)
  const [middle, longest] = figuresOf(what, 'time without an answer', rounds, ({ pause }) => pause, atMost)
  const beside = (value: number) => [{ label: 'before it', value }]
  return [
    ...(middle ? [{ ...middle, beside: beside(median(before)) }] : []),
    ...(longest ? [{ ...longest, beside: beside(Math.max(...before)) }] : [])
  ]
}
