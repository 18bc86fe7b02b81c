import { readdir, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Server } from '../processes/server.ts'
import { slope } from '../statistics.ts'

const MEGABYTE = 1_000_000

/** What is read every few seconds, most of it from `/metrics`, as an operator sees it. */
const gauges = {
  memory: { label: 'memory of the process, MB', metric: 'process_resident_memory_bytes', unit: MEGABYTE },
  delay: {
    label: 'delay of the event loop, 99 of 100, ms',
    metric: 'nodejs_eventloop_lag_p99_seconds',
    unit: 0.001
  },
  unsettled: { label: 'unsettled submissions', metric: 'service_submissions_unsettled', unit: 1 }
} as const

type Gauge = keyof typeof gauges | 'heap' | 'sockets' | 'files' | 'store'

/** The name of each value, with its unit. */
export const labels: Record<Gauge, string> = {
  memory: gauges.memory.label,
  heap: 'heap after a collection, MB',
  sockets: 'open sockets',
  files: 'other open descriptors',
  delay: gauges.delay.label,
  unsettled: gauges.unsettled.label,
  store: 'files of the store, MB'
}

/** All values at one time; `minute` counts from the first. */
export type Sample = Record<Gauge | 'minute', number>

/** The descriptors of a process. Only Linux has them: NaN elsewhere. */
async function descriptorsOf({ pid }: Server): Promise<{ sockets: number; files: number }> {
  if (process.platform !== 'linux') return { sockets: Number.NaN, files: Number.NaN }
  const folder = `/proc/${pid}/fd`
  // One that is closed meanwhile has no target any more.
  const target = (name: string) => readlink(join(folder, name)).catch(() => undefined)
  const open = (await Promise.all((await readdir(folder)).map(target))).filter(name => name !== undefined)
  const sockets = open.filter(name => name.startsWith('socket:')).length
  return { sockets, files: open.length - sockets }
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.map(async name => (await stat(join(folder, name))).size))
  return sizes.reduce((total, size) => total + size, 0)
}

function valueIn(metrics: string, name: string): number {
  const line = metrics.split('\n').find(text => text.startsWith(`${name} `))
  return Number(line?.slice(name.length))
}

/** Three digits are enough for a chart, and keep the recorded results short. */
const rounded = (value: number) => Number(value.toPrecision(4))

/** Reads all values every `everyMs` while `more` returns true. */
export async function takeSamples(
  server: Server,
  store: string,
  everyMs: number,
  more: () => boolean
): Promise<Sample[]> {
  const startedAt = performance.now()
  const samples: Sample[] = []
  for (; more(); await delay(everyMs)) {
    // Before the collection, which would be a part of the delay of the event loop.
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    const { heapUsed } = await server.usage({ collect: true })
    const read = (gauge: keyof typeof gauges) =>
      rounded(valueIn(metrics, gauges[gauge].metric) / gauges[gauge].unit)
    samples.push({
      minute: rounded((performance.now() - startedAt) / 60_000),
      memory: read('memory'),
      heap: rounded(heapUsed / MEGABYTE),
      ...(await descriptorsOf(server)),
      delay: read('delay'),
      unsettled: read('unsettled'),
      store: rounded((await sizeOf(store)) / MEGABYTE)
    })
  }
  return samples
}

/** Caches are filled and code is compiled in the first third, which is not counted. */
export function counted(samples: readonly Sample[]): Sample[] {
  const end = samples.at(-1)?.minute ?? 0
  return samples.filter(({ minute }) => minute >= end / 3)
}

/** By how much the line that fits the samples rises from the first to the last. */
export function rise(samples: readonly Sample[], gauge: Gauge): number {
  const [first, last] = [samples.at(0)?.minute ?? 0, samples.at(-1)?.minute ?? 0]
  return slope(samples.map(sample => ({ x: sample.minute, y: sample[gauge] }))) * (last - first)
}
