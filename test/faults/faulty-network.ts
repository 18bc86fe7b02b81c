import type { Test } from 'tap'
import { getAccount } from '../../devnet/modules/auth/accounts.ts'
import type { DevnetOptions } from '../../devnet/options.ts'
import type { MsgRequestTransaction } from '../../services/messages/index.ts'
import type { Submission } from '../../services/submission/types.ts'
import { startNetwork } from '../helpers/app.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { type Accepted, assertExactlyOnce, readChainOverRpc } from '../helpers/oracle/index.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'
import { startFaultProxy } from './fault-proxy.ts'

type EngineOptions = NonNullable<Parameters<typeof startEngine>[2]>

type Change = Partial<MsgRequestTransaction>

export interface FaultyNetworkOptions {
  network?: Partial<DevnetOptions>
  engine?: Omit<EngineOptions, 'nodes'>
  /** Chooses the engine's nodes; by default the proxy alone. */
  nodes?: (urls: { proxy: string; rpc: string; lagging: string }) => string[] | Promise<string[]>
}

/** A network with its controls, a proxy in front of its node, and the engine, which reaches the node by the proxy. */
export async function startFaultyNetwork(t: Test, options: FaultyNetworkOptions = {}) {
  const devnet = await startNetwork(t, { blockTimeMs: 50, control: true, ...options.network })
  const { rpc, laggingRpc: lagging = '' } = devnet.urls
  const proxy = await startFaultProxy(t, rpc)
  const nodes = (await options.nodes?.({ proxy: proxy.url, rpc, lagging })) ?? [proxy.url]
  const { engine, chain, submit, address, directory, stop } = await startEngine(t, devnet, {
    ...options.engine,
    nodes
  })
  await until(() => engine.health().height !== undefined, 'the engine knows its account and opens intake')
  const accepted: { feeId: string; submissionId: string }[] = []
  let count = 0

  /** Submits a transfer with this change and remembers it once it is accepted. */
  async function submitOne(change: Change = {}): Promise<Submission> {
    const feeId = `fee-${count++}`
    const submission = await submit(feeId, change)
    accepted.push({ feeId, submissionId: submission.submissionId })
    return submission
  }

  return {
    devnet,
    control: devnet.control,
    proxy,
    engine,
    chain,
    address,
    directory,
    stop,
    /** Waits for that many more blocks. */
    async blocks(count: number) {
      const height = devnet.chain.height + count
      await until(() => devnet.chain.height >= height, `the chain is at block ${height}`)
    },
    submit: submitOne,
    /** Submits that many at once. */
    submitMany: (number: number) => Promise.all(Array.from({ length: number }, () => submitOne())),
    settled: (submissions: Submission[]) =>
      Promise.all(submissions.map(({ submissionId }) => engine.settled(submissionId, PATIENCE_MS))),
    /** Submits one after the other, each in its own transaction, which passes CheckTx before the next is submitted. */
    async submitApart(number: number) {
      const sequence = () => Number(getAccount(devnet.chain.pendingState, address)?.sequence)
      const submissions: Submission[] = []
      for (let index = 0; index < number; index++) {
        const next = sequence() + 1
        submissions.push(await submitOne())
        await until(() => sequence() >= next, 'the node has checked the transaction')
      }
      return submissions
    },
    /** Waits for every accepted submission, then compares the results with every block, read over RPC. */
    async assertExactlyOnce(): Promise<Accepted[]> {
      const decided = await Promise.all(
        accepted.map(async ({ feeId, submissionId }) => ({
          feeId,
          submission: await engine.settled(submissionId, PATIENCE_MS)
        }))
      )
      assertExactlyOnce(t, await readChainOverRpc(rpc, address), decided)
      return decided
    }
  }
}

/** How many of each status there are. */
export function tally(decided: readonly Accepted[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { submission } of decided) counts[submission.status] = (counts[submission.status] ?? 0) + 1
  return counts
}
