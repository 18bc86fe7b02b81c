import { type Reads, runReaders } from '../load/readers.ts'
import type { Figure } from '../report/figures.ts'
import { median, percentile, sum } from '../statistics.ts'
import type { Subject } from './subjects.ts'

const CONNECTIONS = 50
/** Many short ones: what else the machine does at the same time then hits all servers alike. */
const ROUNDS = 20
const ROUND_MS = 250
const WARM_UP_MS = 1000
const SHORT_MS = 100

/** The conditions of every comparison. */
export const CONDITIONS = `${CONNECTIONS} connections, log of level info to a file; ${ROUNDS} rounds of ${ROUND_MS} ms, by turns; medians`

/** Ours and those beside it. */
interface Subjects {
  own: Subject
  bare: Subject
  logging: Subject
  /** The usual way. */
  express?: Subject
}

interface Round {
  rate: number
  /** CPU time of the whole process for one answer, in microseconds. */
  cpu: number
  reads: Reads
}

async function measure({ url, usage }: Subject, path: string, ms: number): Promise<Round> {
  const before = await usage()
  const reads = await runReaders(url + path, { connections: CONNECTIONS, ms })
  const after = await usage()
  const cpu = (1000 * (after.cpuMs - before.cpuMs)) / reads.answers
  return { rate: reads.answers / reads.seconds, cpu, reads }
}

/** The medians of some rounds. */
function summary(rounds: readonly Round[]) {
  const middle = (value: (round: Round) => number) => median(rounds.map(value))
  return {
    rate: middle(({ rate }) => rate),
    cpu: middle(({ cpu }) => cpu),
    tail: middle(({ reads: { latencies } }) => percentile(latencies, 0.99) / percentile(latencies, 0.5)),
    failed: sum(rounds.map(({ reads }) => reads.failed))
  }
}

/** The servers take turns. The first round warms up. */
async function byTurns(subjects: Subjects, path: string, isShort: boolean) {
  const [count, ms] = isShort ? [1, SHORT_MS] : [ROUNDS, ROUND_MS]
  const { own, bare, logging, express } = subjects
  const rounds: Record<keyof Subjects, Round[]> = { own: [], bare: [], logging: [], express: [] }
  for (let round = 0; round <= count; round++) {
    const roundMs = round === 0 && !isShort ? WARM_UP_MS : ms
    const keep = (name: keyof Subjects, measured: Round) => round > 0 && rounds[name].push(measured)
    keep('own', await measure(own, path, roundMs))
    keep('bare', await measure(bare, path, roundMs))
    keep('logging', await measure(logging, path, roundMs))
    if (express) keep('express', await measure(express, path, roundMs))
  }
  /** The median of what our rate is of theirs, round by round. */
  const ofRate = (others: readonly Round[]) =>
    100 * median(rounds.own.map(({ rate }, round) => rate / (others[round]?.rate ?? Number.NaN)))
  return {
    own: summary(rounds.own),
    bare: summary(rounds.bare),
    logging: summary(rounds.logging),
    ...(express && { express: summary(rounds.express) }),
    ofBare: ofRate(rounds.bare),
    ofLogging: ofRate(rounds.logging)
  }
}

const RATE = ', answers per second'

/**
 * The figures of one path.
 * @param targets the parts that our server must reach of the rate of a bare server, and of one that logs
 */
export async function compare(
  subjects: Subjects,
  { name, path = name, isShort }: { name: string; path?: string; isShort: boolean },
  targets: { bare: number; logging?: number }
): Promise<Figure[]> {
  const { own, bare, logging, express, ofBare, ofLogging } = await byTurns(subjects, path, isShort)
  return [
    {
      name: name + RATE,
      unit: '/s',
      value: own.rate,
      beside: [
        { label: 'bare', value: bare.rate },
        ...(express ? [{ label: 'Express', value: express.rate }] : [])
      ]
    },
    {
      name: `${name}, of bare`,
      unit: '%',
      value: ofBare,
      target: { atLeast: 100 * targets.bare }
    },
    {
      name: `${name}, of bare with a log line`,
      unit: '%',
      value: ofLogging,
      ...(targets.logging !== undefined && { target: { atLeast: 100 * targets.logging } })
    },
    {
      name: `${name}, CPU time`,
      unit: 'µs',
      value: own.cpu,
      beside: [
        { label: 'bare', value: bare.cpu },
        { label: 'bare, logging', value: logging.cpu }
      ]
    },
    {
      name: `${name}, 99 of 100 by the median`,
      unit: '',
      value: own.tail,
      target: { atMost: 3 },
      beside: [{ label: 'bare', value: bare.tail }]
    },
    { name: `${name}, failed`, unit: '', value: own.failed, target: { atMost: 0 } }
  ]
}

/** The figures of rates, by what was read. */
export const ratesOf = (figures: readonly Figure[]) =>
  Object.fromEntries(
    figures
      .filter(({ name }) => name.endsWith(RATE))
      .map(figure => [figure.name.slice(0, -RATE.length), figure])
  )
