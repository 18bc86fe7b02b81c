import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { Benchmark, Lab } from '../lab.ts'
import { type Reads, runReaders } from '../load/readers.ts'
import { startChild } from '../processes/child.ts'
import { startNetwork } from '../processes/network.ts'
import { script } from '../processes/script.ts'
import { startServer } from '../processes/server.ts'
import { comparison } from '../report/chart/compare.ts'
import type { Figure } from '../report/figures.ts'
import { median, percentile, sum } from '../statistics.ts'

const NETWORK = { blockTimeMs: 1000, maxBlockGas: 40_000_000 }
const CONNECTIONS = 50
const ROUNDS = 5
const ROUND_MS = 2000
const SHORT_MS = 100

/** What each path must reach: the share of a bare server's rate, and of one that logs. */
const TARGETS = {
  '/health': { bare: 0.6, logging: 0.85 },
  '/chains': { bare: 0.7, logging: 0.9 },
  '/chains/pool': { bare: 0.7, logging: 0.9 },
  '/chains/env': { bare: 0.7, logging: 0.9 }
}
type Path = keyof typeof TARGETS
const paths: Path[] = ['/health', '/chains', '/chains/pool', '/chains/env']

interface Answer {
  path: string
  headers: Record<string, string>
  body: string
}

/** Headers that a server sets itself. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

async function answerOf(url: string, path: string): Promise<Answer> {
  const response = await fetch(url + path)
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.has(name))
  return { path, headers: Object.fromEntries(headers), body: await response.text() }
}

async function startBare({ directory, nodeArgs, teardown }: Lab, answers: Answer[], log: 'log' | 'silent') {
  const file = join(directory, 'answers.json')
  await writeFile(file, JSON.stringify(answers))
  const child = startChild({
    args: [...nodeArgs, script('bench/reads/bare-process'), file, log],
    env: {},
    cwd: directory,
    logPath: join(directory, `bare-${log}.log`)
  })
  teardown(child.stop)
  const { url } = await child.next('listening', Type.Object({ url: Type.String() }))
  return { url, usage: child.usage }
}

type Subject = Awaited<ReturnType<typeof startBare>>

interface Round {
  rate: number
  /** CPU time of the whole process for one answer. */
  cpuMs: number
  reads: Reads
}

async function measure({ url, usage }: Subject, path: string, ms: number): Promise<Round> {
  const before = await usage()
  const reads = await runReaders(url + path, { connections: CONNECTIONS, ms })
  const after = await usage()
  return { rate: reads.answers / reads.seconds, cpuMs: (after.cpuMs - before.cpuMs) / reads.answers, reads }
}

/** The servers take turns, so that what else the machine does hits each of them. The first round warms up. */
async function compare(subjects: readonly Subject[], path: string, isShort: boolean): Promise<Round[][]> {
  const rounds: Round[][] = subjects.map(() => [])
  const [count, ms] = isShort ? [1, SHORT_MS] : [ROUNDS, ROUND_MS]
  for (let round = 0; round <= count; round++) {
    for (const [index, subject] of subjects.entries()) {
      const measured = await measure(subject, path, ms)
      if (round > 0) rounds[index]?.push(measured)
    }
  }
  return rounds
}

function figuresOf(path: Path, [own = [], bare = [], logging = []]: Round[][]): Figure[] {
  const { bare: ofBare, logging: ofLogging } = TARGETS[path]
  const rate = (rounds: Round[]) => median(rounds.map(({ rate }) => rate))
  const cpu = (rounds: Round[]) => median(rounds.map(({ cpuMs }) => cpuMs)) * 1000
  const tail = (rounds: Round[], part: number) =>
    median(rounds.map(({ reads }) => percentile(reads.latencies, part)))
  return [
    {
      name: path + RATE,
      unit: '/s',
      value: rate(own),
      beside: [{ label: 'bare', value: rate(bare) }]
    },
    {
      name: `${path}, of bare`,
      unit: '%',
      value: (100 * rate(own)) / rate(bare),
      target: { atLeast: 100 * ofBare }
    },
    {
      name: `${path}, of bare with a log line`,
      unit: '%',
      value: (100 * rate(own)) / rate(logging),
      target: { atLeast: 100 * ofLogging }
    },
    {
      name: `${path}, CPU time`,
      unit: 'µs',
      value: cpu(own),
      beside: [{ label: 'bare, logging', value: cpu(logging) }]
    },
    {
      name: `${path}, 99 of 100 by the median`,
      unit: '',
      value: tail(own, 0.99) / tail(own, 0.5),
      target: { atMost: 3 },
      beside: [{ label: 'bare', value: tail(bare, 0.99) / tail(bare, 0.5) }]
    },
    {
      name: `${path}, failed`,
      unit: '',
      value: sum(own.map(({ reads }) => reads.failed)),
      target: { atMost: 0 }
    }
  ]
}

const RATE = ', answers per second'

/** The figures of rates, by their paths. */
const ratesOf = (figures: readonly Figure[]) =>
  Object.fromEntries(
    figures
      .filter(({ name }) => name.endsWith(RATE))
      .map(figure => [figure.name.slice(0, -RATE.length), figure])
  )

/** How many answers from memory the server sends, compared with a bare Fastify that sends the same bytes. */
export const cached: Benchmark = async lab => {
  const network = await startNetwork(lab, NETWORK)
  lab.teardown(network.stop)
  const server = await startServer(network, { ...lab, env: { LOG_LEVEL: 'info' } })
  lab.teardown(server.stop)
  const answers = await Promise.all(paths.map(path => answerOf(server.url, path)))
  const subjects = [server, await startBare(lab, answers, 'silent'), await startBare(lab, answers, 'log')]
  const figures: Figure[] = []
  for (const path of paths) figures.push(...figuresOf(path, await compare(subjects, path, lab.isShort)))
  const { rss } = await server.usage({ collect: true })
  figures.push({ name: 'memory after load', unit: 'MB', value: rss / 1e6, target: { atMost: 130 } })
  return {
    name: 'cached',
    conditions: `${CONNECTIONS} connections, log of level info to a file; ${ROUNDS} rounds of ${ROUND_MS / 1000} s, by turns`,
    figures,
    charts: [comparison('rates', 'Answers from memory per second', ratesOf(figures))],
    notes: ['Bare is a Fastify without plugins that sends the same headers and bodies.']
  }
}
