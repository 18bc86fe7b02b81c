import type { Test } from 'tap'
import type { Submission } from '../../../services/submission/contract.ts'
import { type EngineOptions, startFaultyEngine } from '../../faults/faulty-network.ts'
import { type Network, startNetwork } from '../../helpers/app.ts'
import { rpc } from '../../helpers/rpc.ts'
import { until } from '../../helpers/until.ts'
import { type RealChain, startRealChain } from '../harness/index.ts'

/** Slow blocks, so that several transactions can be sent one after another between two blocks. */
export const SLOW_BLOCKS = { blockTimeMs: 2500 }

export async function waiting({ urls }: Pick<RealChain, 'urls'>): Promise<number> {
  const { result } = await rpc(urls.rpc, 'num_unconfirmed_txs')
  return Number(result?.['total'])
}

/** Starts the engine in this process, connected to the chain's first node through a proxy. */
export async function startEngineAtNode(t: Test, chain: RealChain, engine: EngineOptions = {}) {
  const started = await startFaultyEngine(t, chain, { engine })
  return {
    ...started,
    /** Submits one at a time, each after the last is in the mempool, so that none share a transaction. */
    async submitApart(number: number): Promise<Submission[]> {
      const submissions: Submission[] = []
      for (let index = 0; index < number; index++) {
        const before = await waiting(chain)
        submissions.push(await started.submit())
        await until(async () => (await waiting(chain)) > before, 'the node has checked the transaction')
      }
      return submissions
    }
  }
}

/** Starts a real chain, and the other services of a development network whose own chain pauses. */
export async function startServiceNetwork(t: Test, options: Parameters<typeof startRealChain>[1]) {
  const [chain, services] = await Promise.all([startRealChain(t, options), startNetwork(t)])
  services.chain.pause()
  const network: Network = {
    urls: chain.urls,
    addresses: chain.addresses,
    env: () => ({ ...services.env(), SERVICE_BACKEND_NODE_PROVIDER: chain.urls.rpc })
  }
  return { chain, network }
}
