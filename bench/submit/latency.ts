import type { Benchmark } from '../lab.ts'
import { afterBlock, during, runClients, serviceClients } from '../load/clients.ts'
import { usualWay } from '../load/usual-way.ts'
import { startNetwork } from '../processes/network.ts'
import { startServer } from '../processes/server.ts'
import { percentile } from '../statistics.ts'

const NETWORK = { blockTimeMs: 250, maxBlockGas: 40_000_000 }
const SUBMISSIONS = 100
const USUAL_MS = 25_000

/** How long after its block one client gets its answer. */
export const latency: Benchmark = async lab => {
  const { directory, nodeArgs } = lab
  const network = await startNetwork(lab, NETWORK)
  try {
    const { url, stop } = await startServer(network, { directory, nodeArgs })
    const { submit, close } = serviceClients([url], 1)
    const answers = await runClients(1, submit, ({ length }) => length < SUBMISSIONS)
    await close()
    await stop()
    const usual = await runClients(1, await usualWay(network), during(USUAL_MS))

    const own = afterBlock(answers, network.blocks)
    const others = afterBlock(usual, network.blocks)
    const beside = (part: number) => [{ label: 'usual way', value: percentile(others, part) }]
    return {
      name: 'latency',
      conditions: `one client, ${SUBMISSIONS} submissions one after the other; blocks of ${NETWORK.blockTimeMs} ms`,
      figures: [
        {
          name: 'answer after its block, median',
          unit: 'ms',
          value: percentile(own, 0.5),
          target: { atMost: 50 },
          beside: beside(0.5)
        },
        {
          name: 'answer after its block, 99 of 100',
          unit: 'ms',
          value: percentile(own, 0.99),
          target: { atMost: 50 },
          beside: beside(0.99)
        },
        { name: 'answer after its block, longest', unit: 'ms', value: Math.max(...own), beside: beside(1) },
        { name: 'failed', unit: '', value: answers.length - own.length, target: { atMost: 0 } }
      ],
      notes: [`The usual way gave ${others.length} answers in ${USUAL_MS / 1000} s.`]
    }
  } finally {
    await network.stop()
  }
}
