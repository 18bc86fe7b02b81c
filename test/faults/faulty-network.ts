import type { Test } from 'tap'
import type { DevnetOptions } from '../../packages/devnet/options.ts'
import { startNetwork } from '../helpers/app.ts'
import { fastClock } from '../helpers/clock.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { trackSubmissions } from '../helpers/tracked-submissions.ts'
import { until } from '../helpers/until.ts'
import { startFaultProxy } from './fault-proxy.ts'

export { tally } from '../helpers/tracked-submissions.ts'

type EngineOptions = NonNullable<Parameters<typeof startEngine>[2]>

/** Engine options for slow machines, on which honest nodes might otherwise appear late or frozen. */
export const PATIENT = { chainClock: fastClock(1 / 20) }

interface FaultyNetworkOptions {
  network?: Partial<DevnetOptions>
  engine?: Omit<EngineOptions, 'nodes'>
  nodes?: (urls: { proxy: string; rpc: string }) => string[] | Promise<string[]>
}

/** Starts a development network, a fault proxy in front of its node, and an engine that connects through the proxy. */
export async function startFaultyNetwork(t: Test, options: FaultyNetworkOptions = {}) {
  const devnet = await startNetwork(t, { blockTimeMs: 50, ...options.network })
  const { rpc } = devnet.urls
  const proxy = await startFaultProxy(t, rpc)
  const nodes = (await options.nodes?.({ proxy: proxy.url, rpc })) ?? [proxy.url]
  const started = await startEngine(t, devnet, { ...options.engine, nodes })
  let running = started.engine
  const { engine, directory, stop } = started
  await until(() => engine.health().height !== undefined, 'the engine has read its account and opened intake')
  const current: typeof engine = {
    ...engine,
    settled: (...asked) => running.settled(...asked),
    health: () => running.health()
  }
  const tracked = trackSubmissions(t, { ...started, engine: current }, rpc)

  return {
    ...tracked,
    devnet,
    control: devnet.control,
    proxy,
    engine: current,
    directory,
    /** Stops the engine and starts it again with the same store. */
    async restart(): Promise<void> {
      await stop()
      running = (await startEngine(t, devnet, { ...options.engine, nodes, directory })).engine
    },
    async blocks(count: number) {
      const height = devnet.chain.height + count
      await until(() => devnet.chain.height >= height, `the chain is at block ${height}`)
    }
  }
}
