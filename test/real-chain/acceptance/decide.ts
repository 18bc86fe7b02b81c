import type { Test } from 'tap'
import type { operatorTool } from '../../helpers/operator.ts'
import { until } from '../../helpers/until.ts'
import { executed } from '../harness/transactions.ts'

/** A transaction of a slot that the tool has found among the chain's records. */
const RECORDED = /^slot (\d+):(?:\n {2}transaction .*)*?\n {2}transaction (\w{64}): .*\(executed: /gm

/**
 * Runs a move that asks for decisions, and repeats it with them, as an operator does who looks the transactions up. The
 * node may delete more blocks meanwhile: then it asks again.
 * @param explorer RPC of a node that has the blocks
 * @returns what the move printed
 */
export async function moveWithDecisions(
  t: Test,
  tool: ReturnType<typeof operatorTool>,
  move: readonly string[],
  explorer: string
): Promise<string> {
  const decisions = new Map<string, string>()
  const printed = await until(async () => {
    const { code, out, err } = await tool(...move, ...decisions.values())
    if (code === 0) return out
    if (!/^(the chain has consumed these slots|no node has block)/.test(err)) throw new Error(err)
    for (const [, slot = '', hash = ''] of err.matchAll(RECORDED)) {
      const { height } = await executed(explorer, hash)
      decisions.set(slot, `--executed=${slot}:${hash}:${height}`)
    }
    return undefined
  }, 'the tool has moved the store')
  t.ok(decisions.size > 0, 'the tool asks about slots')
  return printed
}
