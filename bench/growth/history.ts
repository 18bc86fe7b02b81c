import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Benchmark, Lab } from '../lab.ts'
import { serviceClients } from '../load/clients.ts'
import { type Network, startNetwork } from '../processes/network.ts'
import { launchServer, type Server, startServer } from '../processes/server.ts'
import type { Figure } from '../report/figures.ts'
import { type StartTimes, timedStart } from '../start/timed-start.ts'
import { median, percentile, sum } from '../statistics.ts'
import { load, NETWORK } from './load.ts'
import { addPast } from './past.ts'

const SIZES = [1000, 10_000, 100_000, 1_000_000]
const SHORT_SIZES = [100, 1000]
const CLIENTS = 256
const TIMES = { warmUpMs: 5000, loadMs: 10_000 }
const SHORT_TIMES = { warmUpMs: 500, loadMs: 1500 }
const STARTS = 5

/** How many times the smallest store a larger one may take. */
const AT_MOST = 1.25

async function bytesOf(folder: string): Promise<number> {
  const files = await readdir(folder)
  return sum(await Promise.all(files.map(async name => (await stat(join(folder, name))).size)))
}

/** What the past submissions are copies of. */
async function submitOne({ url }: Server): Promise<void> {
  const { submit, close } = serviceClients([url], 1)
  await submit()
  await close()
}

/** Starts of a server on the store as it is, the last one with load. */
async function measure(network: Network, lab: Lab, bytes: number) {
  const starts: StartTimes[] = []
  const start = () => timedStart(directory => launchServer(network, { ...lab, directory }), lab.directory)
  for (let round = 1; round < (lab.isShort ? 1 : STARTS); round++) {
    const { serving, times } = await start()
    await serving.stop()
    starts.push(times)
  }
  const { serving, times } = await start()
  const { warmUpMs, loadMs } = lab.isShort ? SHORT_TIMES : TIMES
  await load(network, serving, CLIENTS, warmUpMs)
  const loaded = await load(network, serving, CLIENTS, loadMs)
  await serving.stop()
  return { ...loaded, bytes, starts: [...starts, times] }
}

type Measured = Awaited<ReturnType<typeof measure>>

interface Kind {
  name: string
  unit: string
  /** Whether it may not grow with the store. */
  isBound: boolean
  of(measured: Measured): number
}

/** What is measured on each store. */
const kinds: Kind[] = [
  {
    name: 'start until the first answer',
    unit: 'ms',
    isBound: false,
    of: ({ starts }) => median(starts.map(({ healthyMs }) => healthyMs))
  },
  {
    name: 'CPU time of the start',
    unit: 'ms',
    isBound: true,
    of: ({ starts }) => median(starts.map(({ cpuMs }) => cpuMs))
  },
  { name: 'submissions per second', unit: '/s', isBound: false, of: ({ perSecond }) => perSecond },
  { name: 'CPU time of a submission', unit: 'ms', isBound: true, of: ({ cpuMs }) => cpuMs },
  {
    name: 'answer after its block, median',
    unit: 'ms',
    isBound: true,
    of: ({ afterBlock }) => median(afterBlock)
  },
  {
    name: 'answer after its block, 99 of 100',
    unit: 'ms',
    isBound: false,
    of: ({ afterBlock }) => percentile(afterBlock, 0.99)
  },
  { name: 'memory after the load', unit: 'MB', isBound: true, of: ({ rss }) => rss / 1e6 },
  { name: 'size of the store', unit: 'MB', isBound: false, of: ({ bytes }) => bytes / 1e6 }
]

/** The value with the largest history beside those with smaller ones, and how much worse the worst is than the first. */
function figuresOf(
  { name, unit, isBound, of }: Kind,
  sizes: readonly number[],
  measured: Measured[]
): Figure[] {
  const beside = sizes.map((size, index) => {
    const one = measured[index]
    return { label: size.toLocaleString('en'), value: one === undefined ? Number.NaN : of(one) }
  })
  const last = beside.pop()
  if (last === undefined) return []
  const figure = { name: `${name}, ${last.label} past`, unit, value: last.value, beside }
  const target = { atMost: AT_MOST }
  const value = Math.max(...ratiosOf(of, measured))
  return isBound
    ? [figure, { name: `${name}, the worst as a ratio to the smallest store`, unit: '', value, target }]
    : [figure]
}

/** Each value divided by the first one. */
function ratiosOf(of: Kind['of'], measured: readonly Measured[]): number[] {
  const [first = Number.NaN, ...others] = measured.map(of)
  return [1, ...others.map(value => value / first)]
}

/** Whether a server is slower with past submissions in its store. */
export const history: Benchmark = async lab => {
  const network = await startNetwork(lab, NETWORK)
  lab.teardown(network.stop)
  const first = await startServer(network, lab)
  await submitOne(first)
  await first.stop()
  const data = join(lab.directory, 'data')
  const sizes = lab.isShort ? SHORT_SIZES : SIZES
  const measured: Measured[] = []
  for (const [index, size] of sizes.entries()) {
    addPast(data, sizes[index - 1] ?? 0, size)
    measured.push(await measure(network, lab, await bytesOf(data)))
  }
  const figures = kinds.flatMap(kind => figuresOf(kind, sizes, measured))
  return {
    name: 'history',
    conditions: `a server on a store with that many past submissions, ${CLIENTS} clients; blocks of ${NETWORK.blockTimeMs} ms and ${NETWORK.maxBlockGas} gas; starts: medians of ${STARTS}`,
    figures: [
      ...figures,
      { name: 'failed', unit: '', value: sum(measured.map(({ failed }) => failed)), target: { atMost: 0 } }
    ],
    charts: [
      {
        name: 'history',
        title: 'A server with past submissions, as a ratio to the smallest store',
        unit: '',
        over: { axis: 'past submissions', places: [...sizes] },
        series: kinds
          .filter(({ isBound }) => isBound)
          .map(({ name, of }) => ({ label: name, values: ratiosOf(of, measured) }))
      }
    ],
    notes: []
  }
}
