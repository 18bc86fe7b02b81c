import type { Test } from 'tap'
import type { DevnetOptions } from '../../packages/devnet/options.ts'
import type { BlockerKind, Submission } from '../../services/submission/contract.ts'
import { type Network, startNetwork } from '../helpers/app.ts'
import { fastClock } from '../helpers/clock.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { type Accepted, assertExactlyOnce, readChainOverRpc } from '../helpers/oracle/index.ts'
import { ownRequest, type ROUTE, simulatedRefusal } from '../helpers/transfer.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'
import { startFaultProxy } from './fault-proxy.ts'

/** Engine options for slow machines, on which honest nodes might otherwise appear late or frozen. */
export const PATIENT = { chainClock: fastClock(1 / 20) }

export type EngineOptions = Omit<NonNullable<Parameters<typeof startEngine>[2]>, 'nodes'>

interface Options {
  engine?: EngineOptions
  nodes?: (urls: { proxy: string; rpc: string }) => string[] | Promise<string[]>
}

/** Starts an engine that connects to a network's node through a fault proxy, and tracks what the engine accepts. */
export async function startFaultyEngine(t: Test, network: Pick<Network, 'urls'>, options: Options = {}) {
  const { rpc } = network.urls
  const proxy = await startFaultProxy(t, rpc)
  const nodes = (await options.nodes?.({ proxy: proxy.url, rpc })) ?? [proxy.url]
  const settings = { ...options.engine, nodes }
  const { engine, submit, address, directory, stop } = await startEngine(t, network, settings)
  let running = engine
  await until(() => engine.health().height !== undefined, 'the engine has read its account and opened intake')
  const accepted: (Omit<Accepted, 'submission'> & { submissionId: string })[] = []
  let count = 0

  /** @param refusal matches `CODESPACE CODE: TEXT` if the chain rejects the transfer in no block */
  async function submitOne(change: Partial<typeof ROUTE> = {}, refusal?: RegExp) {
    const feeId = `fee-${count++}`
    const submission = await submit(feeId, change)
    const { submissionId } = submission
    const fields = { ...ownRequest(feeId).fields, ...change }
    accepted.push({ feeId, fields, refusal: refusal ?? simulatedRefusal(fields), submissionId })
    return submission
  }

  /** Waits for a result. Measures time by the test's clock, because the engine's clock might run faster. */
  const settled = (submissionId: string) =>
    until(async () => {
      const submission = await running.settled(submissionId, PATIENCE_MS)
      return submission.status !== 'queued' && submission.status !== 'broadcast' && submission
    }, `${submissionId} is settled`)

  return {
    address,
    directory,
    engine: { ...engine, health: () => running.health() },
    proxy,
    stop,
    submit: submitOne,
    submitMany: (number: number) => Promise.all(Array.from({ length: number }, () => submitOne())),
    settled: (submissions: readonly Submission[]) =>
      Promise.all(submissions.map(({ submissionId }) => settled(submissionId))),
    /** Stops the engine and starts it again with the same store. */
    async restart(): Promise<void> {
      await stop()
      running = (await startEngine(t, network, { ...settings, directory })).engine
    },
    /** Waits until the engine reports the blocker. @returns its reason */
    untilBlocked(kind: BlockerKind): Promise<string> {
      const reason = () => running.health().blockers.find(blocker => blocker.kind === kind)?.reason
      return until(reason, `the engine reports ${kind}`)
    },
    /** Compares the results with every block, read over RPC. @returns the number of results of each status */
    async assertExactlyOnce(): Promise<Record<string, number>> {
      const requests = accepted.map(async ({ submissionId, ...request }) => {
        return { ...request, submission: await settled(submissionId) }
      })
      const decided = await Promise.all(requests)
      assertExactlyOnce(t, await readChainOverRpc(rpc, address), decided)
      const counts: Record<string, number> = {}
      for (const { submission } of decided) counts[submission.status] = (counts[submission.status] ?? 0) + 1
      return counts
    }
  }
}

export async function startFaultyNetwork(
  t: Test,
  options: Options & { network?: Partial<DevnetOptions> } = {}
) {
  const devnet = await startNetwork(t, { blockTimeMs: 50, ...options.network })
  return { devnet, control: devnet.control, ...(await startFaultyEngine(t, devnet, options)) }
}
