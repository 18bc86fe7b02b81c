import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark } from '../lab.ts'
import { during, poolFor } from '../load/clients.ts'
import { startNetwork } from '../processes/network.ts'
import { type Server, startServer } from '../processes/server.ts'
import type { Chart, Figure } from '../report/figures.ts'
import { median, sum } from '../statistics.ts'
import { atRate } from './paced.ts'
import { counted, labels, rise, type Sample, takeSamples } from './samples.ts'
import { verify } from './verify.ts'
import { askQuote, noVisits, visit } from './visit.ts'

/** Blocks that hold more than the machine can submit. */
const NETWORK = { blockTimeMs: 1000, maxBlockGas: 400_000_000 }

/** `quotes`: as many as the server remembers, so that this memory is full before anything is counted. */
const LONG = { minutes: 10, capacityMs: 20_000, clients: 400, quotes: 50_000, sampleMs: 5000 }
const SHORT = { minutes: 0.25, capacityMs: 8000, clients: 50, quotes: 500, sampleMs: 500 }
type Scale = typeof LONG

/** Clients that ask for the first quotes. */
const FILLERS = 50

/** The pause of a client whose request was refused, as by a server that is overloaded (interface 21.8). */
const RETRY_MS = 1000

/** As a status may be polled (interface 9.13). */
const POLL_MS = 1000

/**
 * Visits per second of clients that each come again as soon as they have left, in the second half of the time. They come
 * one after the other in the first half.
 */
async function capacityOf(server: Server, { clients, capacityMs }: Scale) {
  const pool = poolFor(server.url, clients)
  const visits = noVisits()
  const more = during(capacityMs)

  async function client(_: unknown, index: number): Promise<void> {
    await delay((index / clients) * (capacityMs / 2))
    while (more()) if (!(await visit(pool, 0, visits))) await delay(RETRY_MS)
  }
  const all = Promise.all(Array.from({ length: clients }, client))
  await delay(capacityMs / 2)
  const before = visits.complete
  await delay(capacityMs / 2)
  const perSecond = ((visits.complete - before) / capacityMs) * 2000
  await all
  await pool.close()
  if (perSecond === 0) throw new Error(`no visit was complete: ${JSON.stringify(visits)}`)
  return { visits, perSecond }
}

async function fillQuotes(server: Server, count: number): Promise<void> {
  const pool = poolFor(server.url, FILLERS)
  let left = count
  async function filler(): Promise<void> {
    while (left-- > 0) {
      await askQuote(pool).catch(() => {
        left += 1
        return delay(RETRY_MS)
      })
    }
  }
  await Promise.all(Array.from({ length: FILLERS }, filler))
  await pool.close()
}

/** The load at half of the capacity, with what was read meanwhile. */
async function soakServer(server: Server, perSecond: number, store: string, scale: Scale) {
  const pool = poolFor(server.url, Math.ceil(perSecond) * 4)
  await fillQuotes(server, scale.quotes)
  const before = await server.usage()
  const more = during(scale.minutes * 60_000)
  const visits = noVisits()
  const [samples] = await Promise.all([
    takeSamples(server, store, scale.sampleMs, more),
    atRate(perSecond, () => visit(pool, POLL_MS, visits), more)
  ])
  const after = await server.usage()
  await pool.close()
  return { visits, samples, cores: (after.cpuMs - before.cpuMs) / (after.at - before.at) }
}

/** A value of which nothing but noise may be left when it is fitted by a line. @param most of the median, in percent */
function flat(samples: readonly Sample[], gauge: 'memory' | 'heap' | 'sockets', most: number): Figure[] {
  const usual = median(samples.map(sample => sample[gauge]))
  const [name = '', unit = ''] = labels[gauge].split(', ')
  return [
    { name, unit, value: usual },
    {
      name: `${name}, rise`,
      unit: '%',
      value: (100 * rise(samples, gauge)) / usual,
      target: { atMost: most }
    }
  ]
}

function chartOf(samples: readonly Sample[]): Chart {
  const gauges = ['memory', 'heap', 'sockets', 'files', 'delay', 'unsettled', 'store'] as const
  return {
    name: 'soak',
    title: 'The process at half of its capacity',
    unit: '',
    over: { minutes: samples.map(({ minute }) => minute) },
    series: gauges.map(gauge => ({
      label: labels[gauge],
      values: samples.map(sample => sample[gauge])
    }))
  }
}

/** Whether memory and descriptors stay flat at half load, and each submission is executed exactly once. */
export const soak: Benchmark = async lab => {
  const { directory, nodeArgs, isShort, minutes } = lab
  const preset = isShort ? SHORT : LONG
  const scale = { ...preset, minutes: minutes ?? preset.minutes }
  const store = join(directory, 'data')
  const options = { directory, nodeArgs, env: { LOG_LEVEL: 'info' } }
  const network = await startNetwork(lab, NETWORK)
  lab.teardown(network.stop)

  // A process of its own, because memory stays where the highest load has left it.
  const first = await startServer(network, options)
  lab.teardown(first.stop)
  const capacity = await capacityOf(first, scale)
  await first.stop()
  const server = await startServer(network, options)
  lab.teardown(server.stop)
  const perSecond = capacity.perSecond / 2
  const { visits, samples, cores } = await soakServer(server, perSecond, store, scale)
  await server.stop()

  const committed = capacity.visits.committed + visits.committed
  const executed = sum(network.blocks.map(({ messages }) => messages))
  const matching = await verify(network, directory)
  const seen = counted(samples)
  const storeRise = rise(samples, 'store')
  return {
    name: 'soak',
    conditions:
      `${scale.minutes} minutes at half of the measured capacity; each visit reads the chains, asks for a quote, submits it, ` +
      `reads its submission and polls its status three times; blocks of ${NETWORK.blockTimeMs} ms`,
    figures: [
      { name: 'capacity, visits per second', unit: '/s', value: capacity.perSecond },
      { name: 'visits per second', unit: '/s', value: visits.complete / (scale.minutes * 60) },
      { name: 'failed', unit: '', value: sum(Object.values(visits.failures)), target: { atMost: 0 } },
      {
        name: 'submissions that were not executed exactly once',
        unit: '',
        value: Math.abs(executed - matching) + Math.max(0, committed - matching),
        target: { atMost: 0 }
      },
      ...flat(seen, 'memory', 10),
      ...flat(seen, 'heap', 5),
      ...flat(seen, 'sockets', 10),
      { name: labels.files, unit: '', value: median(seen.map(({ files }) => files)) },
      { name: `${labels.files}, rise`, unit: '', value: rise(seen, 'files'), target: { atMost: 1 } },
      { name: labels.delay.replace(/, ms$/, ''), unit: 'ms', value: median(seen.map(({ delay }) => delay)) },
      { name: labels.unsettled, unit: '', value: median(seen.map(({ unsettled }) => unsettled)) },
      { name: 'CPU time', unit: '% of a core', value: 100 * cores },
      { name: 'store, for each submission', unit: 'kB', value: (1000 * storeRise) / visits.committed }
    ],
    charts: [chartOf(samples)],
    notes: [
      `The clients received ${committed} results, the blocks have ${executed} submissions, and the operator's \`verify\` found ` +
        `${matching} of the store's in exactly one block each.`,
      'A rise is that of the line that fits the last two thirds of the time best (least squares), as a part of the median. The ' +
        'first third fills caches and compiles code.',
      'The store grows on purpose: it keeps each submission for `SERVICE_RETENTION_DAYS`. It has no limit here.',
      ...Object.entries(visits.failures).map(([failure, count]) => `${count} visits failed: ${failure}.`)
    ]
  }
}
