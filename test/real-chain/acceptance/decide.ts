import type { Test } from 'tap'
import { rpc } from '../../helpers/devnet/control.ts'
import type { operatorTool } from '../../helpers/operator.ts'
import { until } from '../../helpers/until.ts'

/** A slot with its transactions. The chain's records lack one of which every request was refused by an event. */
const SLOT = /^slot (\d+):((?:\n {2}transaction .*)+)/gm

/** The height of the block that holds a transaction, as an explorer shows it. */
async function heightOf(explorer: string, hash: string): Promise<string | undefined> {
  const { result } = await rpc(explorer, 'tx', { hash: Buffer.from(hash, 'hex').toString('base64') })
  return (result as { height: string } | undefined)?.height
}

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
    for (const [, slot = '', transactions = ''] of err.matchAll(SLOT)) {
      for (const [, hash = ''] of transactions.matchAll(/transaction (\w{64})/g)) {
        const height = await heightOf(explorer, hash)
        if (height !== undefined) decisions.set(slot, `--executed=${slot}:${hash}:${height}`)
      }
    }
    return undefined
  }, 'the tool has moved the store')
  t.ok(decisions.size > 0, 'the tool asks about slots')
  return printed
}

/** What is not known of slots that were decided without their blocks: gas, events, refusals by events and some ids. */
export const UNDECIDABLE =
  /: (?:txId is undefined|gasUsed is|events is \[\]|committed, the chain refused it: transaction 400)/
