import { type ChainClient, HistoryPrunedError } from '../../services/chain-client/index.ts'
import type { OwnedStore, SlotEnd } from '../../services/submission/store/operator-store.ts'
import { createReader, ForeignBlockError } from '../chain/read-on.ts'
import { type Context, signerOf } from '../context.ts'
import { OperatorError } from '../errors.ts'
import { adoptFromStart } from './adopt-from-start.ts'
import { assertComplete, type Decisions, type Unreadable } from './decisions.ts'
import { accountOn } from './place.ts'
import { decide, released } from './slot-ends.ts'

/**
 * Moves the store to a chain that continues the state of its own chain under another chain id. What was signed for the
 * old chain can never be executed on the new one, so its open slots end: those that the old chain consumed, as its blocks
 * say, and the others without an execution.
 */
export async function moveToNewChain(
  context: Context,
  options: Unreadable & { chainId: string; lastHeight: number }
): Promise<void> {
  const { chainId, lastHeight, node, decisions, foreignProgram } = options
  const owned = await context.own()
  const { queries, writes } = owned
  const before = await signerOf(queries)
  const chain = context.chain()
  const { chainId: actual } = await chain.status()
  if (actual !== chainId) throw new OperatorError(`the configured node follows ${actual}, not ${chainId}`)
  if (before.chainId === chainId) throw new OperatorError(`the store belongs to ${chainId} already`)
  if (before.cursorHeight > lastHeight) {
    throw new OperatorError(
      `the server has read block ${before.cursorHeight} of ${before.chainId}: what it read after block ${lastHeight} is not part of ${chainId}`
    )
  }
  const old = node === undefined ? chain : context.chain(node)
  const isComplete = await readOldChain(context, owned, old, { lastHeight, mayBeGone: node === undefined })

  const { account, block } = await accountOn(chain, before.address)
  const open = (await queries.openSlots()).map(({ sequence }) => sequence)
  const { nextSequence } = await signerOf(queries)
  const consumed = Math.min(nextSequence, ...open)
  if (account.sequence < consumed) {
    throw new OperatorError(
      `${chainId} does not continue the state of ${before.chainId}: the account's sequence is ${account.sequence} there, and was ${consumed}`
    )
  }
  if (!isComplete && !foreignProgram) assertComplete(await signerOf(queries), account.sequence)
  const ends = isComplete
    ? open.map(released)
    : await endsWithoutBlocks(context, owned, open, { next: account.sequence, decisions })
  const adopter = await adoptFromStart(context, owned, chain, { chainId, newest: block.height })
  await writes.move(ends, {
    chainId,
    accountNumber: account.accountNumber,
    nextSequence: account.sequence,
    cursorHeight: block.height,
    cursorHash: block.hash,
    probePassed: false
  })
  await adopter.applied()
  context.print(
    `The store belongs to ${chainId} from block ${block.height} on, with sequence ${account.sequence}.`,
    `${ends.length} open slots of ${before.chainId} are closed.`
  )
}

/** Sequences from the new account's on were never consumed: its state contains the old chain's. */
async function endsWithoutBlocks(
  context: Context,
  { queries }: OwnedStore,
  open: readonly number[],
  { next, decisions }: { next: number; decisions: Decisions }
): Promise<SlotEnd[]> {
  const decided = await decide(
    context,
    queries,
    open.filter(sequence => sequence < next),
    decisions
  )
  return [...decided, ...open.filter(sequence => sequence >= next).map(released)]
}

/** @returns false when the node does not have the old chain's blocks */
async function readOldChain(
  context: Context,
  owned: OwnedStore,
  old: ChainClient,
  { lastHeight, mayBeGone }: { lastHeight: number; mayBeGone: boolean }
): Promise<boolean> {
  const { height } = await old.status()
  if (!mayBeGone && height < lastHeight) {
    throw new OperatorError(`the old chain's node is at block ${height}, before --last-height ${lastHeight}`)
  }
  const reader = await createReader(owned, old, context.config.SERVICE_BRAND)
  try {
    while ((await signerOf(owned.queries)).cursorHeight < lastHeight) {
      if (!(await reader.next())) return false
    }
    context.print(`The old chain is read to block ${lastHeight}.`)
    return true
  } catch (error) {
    // The new chain may count its blocks from 1 again.
    const isGone = error instanceof HistoryPrunedError || error instanceof ForeignBlockError
    if (mayBeGone && isGone) return false
    throw error
  }
}
