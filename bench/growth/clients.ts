import type { Benchmark, Lab } from '../lab.ts'
import { usualWay } from '../load/usual-way.ts'
import { startNetwork } from '../processes/network.ts'
import { startServer } from '../processes/server.ts'
import type { Figure } from '../report/figures.ts'
import { percentile, sum } from '../statistics.ts'
import { load, NETWORK, type Seen, seen } from './load.ts'

const COUNTS = [1, 10, 100, 1000]
const TIMES = { warmUpMs: 5000, serviceMs: 15_000, usualMs: 10_000 }
const SHORT_COUNTS = [1, 20]
const SHORT_TIMES = { warmUpMs: 0, serviceMs: 2000, usualMs: 500 }
const WARM_UP_CLIENTS = 200

/** Half of a thousand clients have their answer this long after their block. */
const ANSWER_MS = 500

/** The service first, because it does not expect others to use its wallet. */
async function measure(lab: Lab, counts: readonly number[]) {
  const { warmUpMs, serviceMs, usualMs } = lab.isShort ? SHORT_TIMES : TIMES
  const network = await startNetwork(lab, NETWORK)
  lab.teardown(network.stop)
  const server = await startServer(network, lab)
  if (warmUpMs > 0) await load(network, server, WARM_UP_CLIENTS, warmUpMs)
  const own = []
  for (const clients of counts) own.push(await load(network, server, clients, serviceMs))
  await server.stop()
  const submit = await usualWay(network)
  const usual: Seen[] = []
  for (const clients of counts) usual.push(await seen(network, submit, clients, usualMs))
  return { own, usual }
}

/** How submissions grow with the clients, each of which waits for its block, compared with a CosmJS client per request. */
export const clients: Benchmark = async lab => {
  const counts = lab.isShort ? SHORT_COUNTS : COUNTS
  const { own, usual } = await measure(lab, counts)
  const label = 'usual way'
  const figures = counts.flatMap((count, index): Figure[] => {
    const [mine, theirs] = [own[index], usual[index]]
    if (mine === undefined || theirs === undefined) return []
    const name = (what: string) =>
      `${what}, ${count.toLocaleString('en')} ${count === 1 ? 'client' : 'clients'}`
    const answered = (words: string, part: number): Figure => ({
      name: name(`answer after its block, ${words}`),
      unit: 'ms',
      value: percentile(mine.afterBlock, part),
      ...(theirs.afterBlock.length > 0 && {
        beside: [{ label, value: percentile(theirs.afterBlock, part) }]
      })
    })
    return [
      {
        name: name('submissions per second'),
        unit: '/s',
        value: mine.perSecond,
        beside: [{ label, value: theirs.perSecond }]
      },
      { ...answered('median', 0.5), target: { atMost: ANSWER_MS } },
      answered('99 of 100', 0.99),
      { name: name('CPU time of a submission'), unit: 'ms', value: mine.cpuMs }
    ]
  })
  const perClient = own.map(({ perSecond }, index) => perSecond / (counts[index] ?? Number.NaN))
  return {
    name: 'clients',
    conditions: `clients that each submit again when they have their answer, with a connection of their own; blocks of ${NETWORK.blockTimeMs} ms and ${NETWORK.maxBlockGas} gas`,
    figures: [
      ...figures,
      {
        name: 'submissions of a client, with the most clients as a ratio to one client',
        unit: '',
        value: (perClient.at(-1) ?? Number.NaN) / (perClient[0] ?? Number.NaN),
        target: { atLeast: 0.8 }
      },
      { name: 'memory after all of them', unit: 'MB', value: (own.at(-1)?.rss ?? Number.NaN) / 1e6 },
      { name: 'failed', unit: '', value: sum(own.map(({ failed }) => failed)), target: { atMost: 0 } }
    ],
    charts: [
      {
        name: 'clients',
        title: 'Submissions per second by clients',
        unit: '/s',
        logarithmic: true,
        over: { axis: 'clients', places: [...counts] },
        series: [
          { label: 'the service', values: own.map(({ perSecond }) => perSecond) },
          { label, values: usual.map(({ perSecond }) => perSecond) }
        ]
      },
      {
        name: 'clients-answer',
        title: 'Answer after its block by clients',
        unit: 'ms',
        over: { axis: 'clients', places: [...counts] },
        series: [
          { label: 'median', values: own.map(({ afterBlock }) => percentile(afterBlock, 0.5)) },
          { label: '99 of 100', values: own.map(({ afterBlock }) => percentile(afterBlock, 0.99)) }
        ]
      }
    ],
    notes: []
  }
}
