import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import type { Benchmark, Lab } from '../lab.ts'
import { type Child, startChild } from '../processes/child.ts'
import { type Network, startNetwork } from '../processes/network.ts'
import { script } from '../processes/script.ts'
import { serviceEnv } from '../processes/server.ts'

/** Blocks that hold far more than one core can submit. */
export const NETWORK = { blockTimeMs: 1000, maxBlockGas: 2_000_000_000 }
export const IN_FLIGHT = 4000
const TIMES = { warmUpMs: 8000, measuredMs: 15_000 }
const SHORT_TIMES = { warmUpMs: 1000, measuredMs: 2000 }

const Settled = Type.Object({ committed: Type.Number(), others: Type.Number() })

/** The settled submissions so far, and the CPU time of engine and network. */
async function reading(engine: Child, network: Network) {
  const settled = engine.next('settled', Settled)
  engine.send({ topic: 'settled' })
  const [usage, ofNetwork, counts] = await Promise.all([engine.usage(), network.usage(), settled])
  return { ...counts, at: usage.at, cpuMs: usage.cpuMs, networkCpuMs: ofNetwork.cpuMs }
}

/** One measurement of the engine; CPU times in milliseconds. */
export interface EngineRun {
  settled: number
  /** Submissions that were not committed, of all. */
  others: number
  ms: number
  cpuMs: number
  networkCpuMs: number
}

/**
 * Runs the engine in a process of its own, and measures it once it is warm.
 * @param env the environment of the process
 * @param during measures something else at the begin and at the end
 */
export async function runEngine(
  lab: Lab,
  network: Network,
  env: Record<string, string>,
  during = () => {}
): Promise<EngineRun> {
  const { directory, nodeArgs, isShort } = lab
  const { warmUpMs, measuredMs } = isShort ? SHORT_TIMES : TIMES
  const child = startChild({
    args: [...nodeArgs, script('bench/submit/engine-process'), network.address, String(IN_FLIGHT)],
    env,
    cwd: directory,
    logPath: join(directory, 'engine.log')
  })
  await child.next('ready', Type.Object({}))
  await delay(warmUpMs)
  const start = await reading(child, network)
  during()
  await delay(measuredMs)
  const end = await reading(child, network)
  during()
  child.send({ topic: 'stop' })
  const { others } = await child.next('done', Settled)
  await child.exited
  return {
    settled: end.committed - start.committed,
    others,
    ms: end.at - start.at,
    cpuMs: end.cpuMs - start.cpuMs,
    networkCpuMs: end.networkCpuMs - start.networkCpuMs
  }
}

/** Submissions per second of CPU time of the engine's process. */
export const perCore = ({ settled, cpuMs }: EngineRun) => (settled / cpuMs) * 1000

export const perSecond = ({ settled, ms }: EngineRun) => (settled / ms) * 1000

/** How many submissions one core signs and tracks, from intake to the result in a block. */
export const engine: Benchmark = async lab => {
  const network = await startNetwork(lab, NETWORK)
  try {
    const run = await runEngine(lab, network, serviceEnv(network, lab.directory))
    const percent = (cpuMs: number) => `${Math.round((100 * cpuMs) / run.ms)} %`
    return {
      name: 'engine',
      conditions:
        `the engine alone in a process of its own, ${IN_FLIGHT} submissions on their way; blocks of ` +
        `${NETWORK.blockTimeMs} ms and ${NETWORK.maxBlockGas} gas`,
      figures: [
        {
          name: 'submissions per second of one core',
          unit: '/s',
          value: perCore(run),
          target: { atLeast: 2000 }
        },
        { name: 'submissions per second', unit: '/s', value: perSecond(run) },
        { name: 'not committed', unit: '', value: run.others, target: { atMost: 0 } }
      ],
      notes: [
        `Of a core the engine took ${percent(run.cpuMs)}, the process of the network ` +
          `${percent(run.networkCpuMs)}${lab.chain === 'real' ? ' (without its node)' : ''}.`
      ]
    }
  } finally {
    await network.stop()
  }
}
