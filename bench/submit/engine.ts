import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import type { Benchmark } from '../lab.ts'
import { type Child, startChild } from '../processes/child.ts'
import { type Network, startNetwork } from '../processes/network.ts'
import { script } from '../processes/script.ts'
import { serviceEnv } from '../processes/server.ts'

/** Blocks that hold far more than one core can submit. */
const NETWORK = { blockTimeMs: 1000, maxBlockGas: 2_000_000_000 }
const IN_FLIGHT = 4000
const WARM_UP_MS = 8000
const MEASURED_MS = 15_000

const Settled = Type.Object({ committed: Type.Number(), others: Type.Number() })

/** The settled submissions so far, and the CPU time of engine and network. */
async function reading(engine: Child, network: Network) {
  const settled = engine.next('settled', Settled)
  engine.send({ topic: 'settled' })
  const [usage, ofNetwork, counts] = await Promise.all([engine.usage(), network.usage(), settled])
  return { ...counts, at: usage.at, cpuMs: usage.cpuMs, networkCpuMs: ofNetwork.cpuMs }
}

/** How many submissions one core signs and tracks, from intake to the result in a block. */
export const engine: Benchmark = async lab => {
  const { directory, nodeArgs } = lab
  const network = await startNetwork(lab, NETWORK)
  try {
    const entry = script('bench/submit/engine-process')
    const child = startChild({
      args: [...nodeArgs, entry, network.address, String(IN_FLIGHT)],
      env: serviceEnv(network, directory),
      cwd: directory,
      logPath: join(directory, 'engine.log')
    })
    await child.next('ready', Type.Object({}))
    await delay(WARM_UP_MS)
    const start = await reading(child, network)
    await delay(MEASURED_MS)
    const end = await reading(child, network)
    child.send({ topic: 'stop' })
    const { others } = await child.next('done', Settled)
    await child.exited

    const settled = end.committed - start.committed
    const ms = end.at - start.at
    const percent = (cpuMs: number) => `${Math.round((100 * cpuMs) / ms)} %`
    return {
      name: 'engine',
      conditions:
        `the engine alone in a process of its own, ${IN_FLIGHT} submissions on their way; blocks of ` +
        `${NETWORK.blockTimeMs} ms and ${NETWORK.maxBlockGas} gas`,
      figures: [
        {
          name: 'submissions per second of one core',
          unit: '/s',
          value: (settled / (end.cpuMs - start.cpuMs)) * 1000,
          target: { atLeast: 2000 }
        },
        { name: 'submissions per second', unit: '/s', value: (settled / ms) * 1000 },
        { name: 'not committed', unit: '', value: others, target: { atMost: 0 } }
      ],
      notes: [
        `Of a core the engine took ${percent(end.cpuMs - start.cpuMs)}, the process of the network ` +
          `${percent(end.networkCpuMs - start.networkCpuMs)}${lab.chain === 'real' ? ' (without its node)' : ''}.`
      ]
    }
  } finally {
    await network.stop()
  }
}
