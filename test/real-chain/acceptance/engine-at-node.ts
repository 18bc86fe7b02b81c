import type { Test } from 'tap'
import type { Submission } from '../../../services/submission/contract.ts'
import { startFaultProxy } from '../../faults/fault-proxy.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { rpc } from '../../helpers/rpc.ts'
import { trackSubmissions } from '../../helpers/tracked-submissions.ts'
import { until } from '../../helpers/until.ts'
import type { RealChain } from '../harness/index.ts'

export { tally } from '../../helpers/tracked-submissions.ts'

/** Slow blocks, so that several transactions can be sent one after another between two blocks. */
export const SLOW_BLOCKS = { blockTimeMs: 2500 }

export async function waiting({ urls }: Pick<RealChain, 'urls'>): Promise<number> {
  const { result } = await rpc(urls.rpc, 'num_unconfirmed_txs')
  return Number(result?.['total'])
}

/** Starts the engine in this process, connected to the chain's first node through a proxy. */
export async function startEngineAtNode(
  t: Test,
  chain: RealChain,
  options: Omit<NonNullable<Parameters<typeof startEngine>[2]>, 'nodes'> = {}
) {
  const proxy = await startFaultProxy(t, chain.urls.rpc)
  const started = await startEngine(t, chain, { ...options, nodes: [proxy.url] })
  const { engine } = started
  await until(() => engine.health().height !== undefined, 'the engine has read its account and opened intake')
  const tracked = trackSubmissions(t, started, chain.urls.rpc)

  return {
    ...started,
    ...tracked,
    proxy,
    /** Submits one at a time, each after the last is in the mempool, so that none share a transaction. */
    async submitApart(number: number): Promise<Submission[]> {
      const submissions: Submission[] = []
      for (let index = 0; index < number; index++) {
        const before = await waiting(chain)
        submissions.push(await tracked.submit())
        await until(async () => (await waiting(chain)) > before, 'the node has checked the transaction')
      }
      return submissions
    }
  }
}
