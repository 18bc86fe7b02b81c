import type { Benchmark } from '../lab.ts'
import { afterBlock, during, runClients, serviceClients } from '../load/clients.ts'
import { usualWay } from '../load/usual-way.ts'
import { startNetwork } from '../processes/network.ts'
import { startServer } from '../processes/server.ts'
import { comparison } from '../report/chart/compare.ts'
import type { Figure } from '../report/figures.ts'
import { percentile } from '../statistics.ts'

const NETWORK = { blockTimeMs: 250, maxBlockGas: 40_000_000 }
const LONG = { count: 100, usualMs: 25_000 }
const SHORT = { count: 8, usualMs: 500 }

/** How long after its block one client gets its answer. */
export const latency: Benchmark = async lab => {
  const { directory, nodeArgs, isShort } = lab
  const { count, usualMs } = isShort ? SHORT : LONG
  const network = await startNetwork(lab, NETWORK)
  try {
    const { url, stop } = await startServer(network, { directory, nodeArgs })
    const { submit, close } = serviceClients([url], 1)
    const answers = await runClients(1, submit, ({ length }) => length < count)
    await close()
    await stop()
    const usual = await runClients(1, await usualWay(network), during(usualMs))

    const own = afterBlock(answers, network.blocks)
    const others = afterBlock(usual, network.blocks)
    const figure = (name: string, part: number): Figure => ({
      name: `answer after its block, ${name}`,
      unit: 'ms',
      value: percentile(own, part),
      beside: [{ label: 'usual way', value: percentile(others, part) }]
    })
    const [middle, most] = [figure('median', 0.5), figure('99 of 100', 0.99)]
    const target = { atMost: 50 }
    return {
      name: 'latency',
      conditions: `one client, ${count} submissions one after the other; blocks of ${NETWORK.blockTimeMs} ms`,
      figures: [
        { ...middle, target },
        { ...most, target },
        figure('longest', 1),
        { name: 'failed', unit: '', value: answers.length - own.length, target: { atMost: 0 } }
      ],
      charts: [comparison('answer', 'Answer after its block', { median: middle, '99 of 100': most })],
      notes: [`The usual way gave ${others.length} answers in ${usualMs / 1000} s.`]
    }
  } finally {
    await network.stop()
  }
}
