import type { Test } from 'tap'
import type { operatorTool } from '../../helpers/operator.ts'
import { executed } from '../harness/transactions.ts'

/** A transaction of a slot that the tool has found among the chain's records. */
const RECORDED = /^slot (\d+):(?:\n {2}transaction .*)*?\n {2}transaction (\w{64}): .*\(executed: /gm

/**
 * Runs a move that asks for decisions, and repeats it with them, as an operator does who looks the transactions up.
 * @param explorer RPC of a node that has the blocks
 * @returns what the move printed
 */
export async function moveWithDecisions(
  t: Test,
  tool: ReturnType<typeof operatorTool>,
  move: readonly string[],
  explorer: string
): Promise<string> {
  const undecided = await tool(...move)
  t.equal(undecided.code, 1)
  t.match(undecided.err, /^the chain has consumed these slots in blocks that cannot be read/)
  const slots = undecided.err.match(/^slot \d+:/gm) ?? []
  const recorded = [...undecided.err.matchAll(RECORDED)]
  t.equal(recorded.length, slots.length, 'the records have a transaction of each slot')
  const decisions: string[] = []
  for (const [, slot, hash = ''] of recorded) {
    const { height } = await executed(explorer, hash)
    decisions.push('--executed', `${slot}:${hash}:${height}`)
  }
  const { code, out, err } = await tool(...move, ...decisions)
  t.strictSame({ code, err }, { code: 0, err: '' })
  return out
}
