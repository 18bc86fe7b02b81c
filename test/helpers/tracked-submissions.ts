import type { Test } from 'tap'
import type { MsgRequestTransaction } from '../../services/messages/index.ts'
import type { BlockerKind, Submission } from '../../services/submission/contract.ts'
import type { startEngine } from './engine-at.ts'
import { type Accepted, assertExactlyOnce, readChainOverRpc } from './oracle/index.ts'
import { ownRequest, simulatedRefusal } from './transfer.ts'
import { PATIENCE_MS, until } from './until.ts'

type StartedEngine = Pick<Awaited<ReturnType<typeof startEngine>>, 'engine' | 'submit' | 'address'>

/**
 * Submits transfers to an engine, tracks the accepted transfers, and compares their results with the chain.
 * @param rpc RPC URL of a node that has all blocks
 */
export function trackSubmissions(t: Test, { engine, submit, address }: StartedEngine, rpc: string) {
  const accepted: (Omit<Accepted, 'submission'> & { submissionId: string })[] = []
  let count = 0

  /**
   * Submits a transfer with the given changes. Tracks the transfer once it is accepted.
   * @param refusal matches `CODESPACE CODE: TEXT` if the chain rejects the transfer without including it in a block
   */
  async function submitOne(
    change: Partial<MsgRequestTransaction> = {},
    refusal?: RegExp
  ): Promise<Submission> {
    const feeId = `fee-${count++}`
    const submission = await submit(feeId, change)
    const { submissionId } = submission
    const texts = Object.entries(change).filter(entry => typeof entry[1] === 'string')
    const fields = { ...ownRequest(feeId).fields, ...Object.fromEntries(texts) }
    accepted.push({ feeId, fields, refusal: refusal ?? simulatedRefusal(fields), submissionId })
    return submission
  }

  /** Waits for a result. Measures time by the test's clock, because the engine's clock might run faster. */
  const settled = (submissionId: string) =>
    until(async () => {
      const submission = await engine.settled(submissionId, PATIENCE_MS)
      return submission.status !== 'queued' && submission.status !== 'broadcast' && submission
    }, `${submissionId} is settled`)

  return {
    submit: submitOne,
    submitMany: (number: number) => Promise.all(Array.from({ length: number }, () => submitOne())),
    settled: (submissions: readonly Submission[]) =>
      Promise.all(submissions.map(({ submissionId }) => settled(submissionId))),
    /** Waits until the engine reports the blocker. @returns its reason */
    untilBlocked: (kind: BlockerKind): Promise<string> =>
      until(
        () => engine.health().blockers.find(blocker => blocker.kind === kind)?.reason,
        `the engine reports ${kind}`
      ),
    /** Waits for every accepted submission, then compares the results with every block, read over RPC. */
    async assertExactlyOnce(): Promise<Accepted[]> {
      const requests = accepted.map(async ({ submissionId, ...request }) => {
        return { ...request, submission: await settled(submissionId) }
      })
      const decided = await Promise.all(requests)
      assertExactlyOnce(t, await readChainOverRpc(rpc, address), decided)
      return decided
    }
  }
}

export function tally(decided: readonly Accepted[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { submission } of decided) counts[submission.status] = (counts[submission.status] ?? 0) + 1
  return counts
}
