import { type ChainBlock, type ChainClient, HistoryPrunedError } from '../../services/chain-client/index.ts'
import { resolveSlots } from '../../services/submission/following/outcomes.ts'
import { createSlotTable } from '../../services/submission/state/slots.ts'
import type { OwnedStore, SlotEnd } from '../../services/submission/store/operator-store.ts'
import type { SlotResolution } from '../../services/submission/store/types.ts'
import { createBlocks } from '../chain/blocks.ts'
import { createReader } from '../chain/read-on.ts'
import { type Context, signerOf } from '../context.ts'
import { OperatorError } from '../errors.ts'
import { assertComplete, type Unreadable } from './decisions.ts'
import { accountOn } from './place.ts'
import { decide } from './slot-ends.ts'

/**
 * Moves the cursor over blocks that the configured nodes have deleted, or whose results they have not stored: by reading
 * them from another node, or else by what the operator says about the slots that they consumed. What is signed for the
 * other slots stays valid, so these stay open.
 */
export async function movePastPrunedBlocks(context: Context, options: Unreadable): Promise<void> {
  const { node } = options
  const owned = await context.own()
  const reader = await createReader(owned, context.chain(node), context.config.SERVICE_BRAND)
  try {
    while (await reader.next());
    const { blocks } = reader.findings
    const { cursorHeight } = await signerOf(owned.queries)
    context.print(`Read ${blocks} blocks, up to ${cursorHeight}.`)
  } catch (error) {
    if (node !== undefined || !(error instanceof HistoryPrunedError)) throw error
    await skip(context, owned, error.lowest, options)
  }
}

async function skip(
  context: Context,
  owned: OwnedStore,
  lowest: number,
  { decisions, foreignProgram }: Unreadable
): Promise<void> {
  const { queries, writes } = owned
  const before = await signerOf(queries)
  const chain = context.chain()
  const { chainId } = await chain.status()
  if (chainId !== before.chainId) {
    throw new OperatorError(`the configured node follows ${chainId}, the store belongs to ${before.chainId}`)
  }
  const { account, block } = await accountOn(chain, before.address)
  if (!foreignProgram) assertComplete(before, account.sequence)
  const { found, lastSkipped } = await endsInBlocks(owned, chain, { from: lowest, to: block.height })
  const consumed = (await queries.openSlots())
    .map(({ sequence }) => sequence)
    .filter(sequence => sequence < account.sequence && !found.has(sequence))
  const ends = [...found.values(), ...(await decide(context, queries, consumed, decisions))]
  await writes.move(ends, {
    ...before,
    nextSequence: Math.max(before.nextSequence, account.sequence),
    cursorHeight: block.height,
    cursorHash: block.hash
  })
  const open = await queries.openSlots()
  context.print(
    `Blocks ${before.cursorHeight + 1} to ${lastSkipped} are skipped. The server continues after block ${block.height}.`,
    `${ends.length} slots are closed, ${open.length} stay open.`
  )
}

/** The ends of the open slots that the blocks which the node still has resolve, and the last block that it has not. */
async function endsInBlocks(
  { queries, store }: OwnedStore,
  chain: ChainClient,
  { from, to }: { from: number; to: number }
): Promise<{ found: Map<number, SlotEnd>; lastSkipped: number }> {
  const wallet = await signerOf(queries)
  const slots = createSlotTable()
  for (const variant of await store.openVariants()) slots.add(variant)
  const blocks = createBlocks(chain)
  const found = new Map<number, SlotEnd>()
  let lastSkipped = from - 1
  /** Whether every block since the last skipped one that consumed a sequence is known. */
  let knowsSequence = false

  /** Leaves out the slots that earlier blocks must have consumed, because a later sequence is consumed here. */
  function skipTo(sequence: number): void {
    for (let slot = slots.first(); slot && slot.sequence < sequence; slot = slots.first()) {
      slots.remove(slot.sequence)
    }
    wallet.nextSequence = sequence
  }

  function read(block: ChainBlock): SlotResolution[] {
    const { resolutions, ignored } = resolveSlots(block, slots, wallet)
    const later = ignored.find(({ sequence, expected }) => Number(sequence) > expected)
    if (knowsSequence || resolutions.length > 0 || later === undefined) return resolutions
    skipTo(Number(later.sequence))
    return resolveSlots(block, slots, wallet).resolutions
  }

  async function blockOrSkipped(height: number): Promise<ChainBlock | 'skipped' | undefined> {
    try {
      return await blocks.next(height)
    } catch (error) {
      if (error instanceof HistoryPrunedError) return 'skipped'
      throw error
    }
  }

  for (let height = from; height <= to; height++) {
    const block = await blockOrSkipped(height)
    if (block === 'skipped') {
      lastSkipped = height
      knowsSequence = false
      continue
    }
    if (block === undefined) throw new OperatorError(`the node has no block ${height}`)
    for (const { sequence, transactionHash, origin, outcomes } of read(block)) {
      const executions = outcomes.filter(outcome => outcome.status !== 'queued')
      if (slots.get(sequence))
        found.set(sequence, { sequence, consumedBy: { transactionHash, origin, height }, executions })
      skipTo(sequence + 1)
      knowsSequence = true
    }
  }
  return { found, lastSkipped }
}
