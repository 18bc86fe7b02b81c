import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Test } from 'tap'
import { getAccount } from '../../packages/devnet/chain/auth/accounts.ts'
import type { DevnetOptions } from '../../packages/devnet/options.ts'
import type { Submission } from '../../services/submission/contract.ts'
import { startNetwork } from '../helpers/app.ts'
import { fastClock } from '../helpers/clock.ts'
import { startEngine } from '../helpers/engine-at.ts'
import type { RpcResult } from '../helpers/rewriting-node.ts'
import { trackSubmissions } from '../helpers/tracked-submissions.ts'
import { until } from '../helpers/until.ts'
import { startFaultProxy } from './fault-proxy.ts'

export { tally } from '../helpers/tracked-submissions.ts'

type EngineOptions = NonNullable<Parameters<typeof startEngine>[2]>

/** What a broadcast transaction contains. */
export interface Sent {
  fee: bigint
  gas: bigint
  typeUrls: string[]
  body: string
}

export function sentIn(params: RpcResult): Sent {
  const { authInfoBytes, bodyBytes } = TxRaw.decode(Buffer.from(String(params['tx']), 'base64'))
  const { fee } = AuthInfo.decode(authInfoBytes)
  const typeUrls = TxBody.decode(bodyBytes).messages.map(({ typeUrl }) => typeUrl)
  const body = Buffer.from(bodyBytes).toString('latin1')
  return { fee: BigInt(fee?.amount[0]?.amount ?? 0), gas: fee?.gasLimit ?? 0n, typeUrls, body }
}

/** Engine options for slow machines, on which honest nodes might otherwise appear late or frozen. */
export const PATIENT = { chainClock: fastClock(1 / 20) }

export interface FaultyNetworkOptions {
  network?: Partial<DevnetOptions>
  engine?: Omit<EngineOptions, 'nodes'>
  nodes?: (urls: { proxy: string; rpc: string }) => string[] | Promise<string[]>
}

/** Starts a development network, a fault proxy in front of its node, and an engine that connects through the proxy. */
export async function startFaultyNetwork(t: Test, options: FaultyNetworkOptions = {}) {
  const devnet = await startNetwork(t, { blockTimeMs: 50, control: true, ...options.network })
  const { rpc } = devnet.urls
  const proxy = await startFaultProxy(t, rpc)
  const nodes = (await options.nodes?.({ proxy: proxy.url, rpc })) ?? [proxy.url]
  const started = await startEngine(t, devnet, { ...options.engine, nodes })
  let running = started.engine
  const { engine, store, chain, address, directory, stop } = started
  await until(() => engine.health().height !== undefined, 'the engine has read its account and opened intake')
  const current: typeof engine = {
    ...engine,
    settled: (...asked) => running.settled(...asked),
    health: () => running.health()
  }
  const tracked = trackSubmissions(t, { ...started, engine: current }, rpc)

  return {
    ...tracked,
    submitUntracked: started.submit,
    devnet,
    control: devnet.control,
    proxy,
    engine: current,
    store,
    chain,
    address,
    directory,
    stop,
    /** Stops the engine and starts it again with the same store and other settings. */
    async restart(settings: NonNullable<EngineOptions['settings']> = {}): Promise<void> {
      await stop()
      running = (await startEngine(t, devnet, { ...options.engine, nodes, directory, settings })).engine
    },
    /** Waits until a submission is settled by the engine that runs since the last restart. */
    settledAgain: (submissionId: string) =>
      until(async () => {
        const submission = await running.find(submissionId)
        return (submission?.status === 'committed' || submission?.status === 'rejected') && submission
      }, `${submissionId} is settled`),
    async blocks(count: number) {
      const height = devnet.chain.height + count
      await until(() => devnet.chain.height >= height, `the chain is at block ${height}`)
    },
    /** Submits one at a time, so that no two submissions share a transaction. */
    async submitApart(number: number) {
      const sequence = () => Number(getAccount(devnet.chain.pendingState(), address)?.sequence)
      const submissions: Submission[] = []
      for (let index = 0; index < number; index++) {
        const next = sequence() + 1
        submissions.push(await tracked.submit())
        await until(() => sequence() >= next, 'the node has checked the transaction')
      }
      return submissions
    }
  }
}
