import { newestHeight, type PoolBlock } from '../../chain-client/index.ts'
import type { EngineContext } from '../runtime/context.ts'
import { ForeignChainError } from '../state/signer-state.ts'
import type { BlockOutcome } from '../store/types.ts'
import { resolveSlots } from './outcomes.ts'

/** The pause between two requests for the next block, unless a new block wakes the follower. */
const POLL_MS = 500

/** What a block must follow: the cursor, or the block before it. */
type Predecessor = Pick<PoolBlock, 'chainId' | 'height' | 'hash'>

/** @returns the error of a block that does not follow on the same chain */
export function foreignBlock(block: PoolBlock, before: Predecessor): ForeignChainError | undefined {
  if (block.chainId !== before.chainId) {
    return new ForeignChainError(`the node follows ${block.chainId}, the store belongs to ${before.chainId}`)
  }
  if (block.previousHash !== before.hash) {
    return new ForeignChainError(
      `block ${block.height} of the node does not follow block ${before.height} that was read before: ` +
        'the chain was restarted or the node is on a fork'
    )
  }
  return undefined
}

/**
 * Reads every block after the cursor, once and in order, and applies its results to the wallet's slots.
 * @returns a loop step
 */
export function createFollower(
  engine: EngineContext,
  events: { onBlock: () => void; onCaughtUp: () => void }
): () => Promise<number> {
  const { store, chain, blocks, slots, log } = engine
  /**
   * Reaching this height counts as caught up: a fast chain may always be some blocks ahead. It is the lowest that was
   * known since the start, because a node may have reported blocks at first that do not exist.
   */
  let goal = Number.POSITIVE_INFINITY

  function read(block: PoolBlock): BlockOutcome {
    const { height, hash } = block
    const { resolutions, ignored } = resolveSlots(block, slots, engine.signer())
    for (const odd of ignored)
      log.warn({ height, ...odd }, 'a transaction consumed no sequence of the wallet')
    return { height, hash, resolutions }
  }

  /** The outcomes of the first blocks, up to one that consumed a slot: the next one depends on it. */
  function readUntilResolution(run: readonly PoolBlock[]): BlockOutcome[] {
    const outcomes: BlockOutcome[] = []
    for (const block of run) {
      const outcome = read(block)
      outcomes.push(outcome)
      if (outcome.resolutions.length > 0) break
    }
    return outcomes
  }

  /** The slots in memory follow the store. */
  function applied({ height, hash, resolutions }: BlockOutcome): void {
    for (const { sequence, transactionHash, origin, outcomes } of resolutions) {
      slots.remove(sequence)
      const submissions = outcomes.length
      log.info({ height, sequence, hash: transactionHash, origin, submissions }, 'slot resolved')
    }
    const passed = resolutions.map(({ sequence }) => sequence + 1)
    const nextSequence = Math.max(engine.signer().nextSequence, ...passed)
    engine.setSigner({ ...engine.signer(), cursorHeight: height, cursorHash: hash, nextSequence })
  }

  /** Applies the first of these blocks in one database transaction. @returns how many they are, at least one */
  async function apply(run: readonly PoolBlock[]): Promise<number> {
    const { settled, count } = await engine.withSlotLock(async () => {
      const outcomes = readUntilResolution(run)
      const settled = await store.applyBlocks(outcomes)
      for (const outcome of outcomes) applied(outcome)
      return { settled, count: outcomes.length }
    })
    engine.settle(settled)
    events.onBlock()
    return count
  }

  async function applyAll(run: readonly PoolBlock[]): Promise<void> {
    for (let done = 0; done < run.length; ) done += await apply(run.slice(done))
  }

  /** Asks again at once, where another node can answer. @throws the error where none can */
  function refuse(block: PoolBlock, error: ForeignChainError): number {
    blocks.forget()
    if (chain.distrust(block.node, error.message)) return 0
    throw error
  }

  return async () => {
    const { chainId, cursorHeight, cursorHash } = engine.signer()
    goal = Math.min(goal, newestHeight(chain.health()) ?? goal)
    const run = await blocks.next(cursorHeight + 1)
    if (run.length === 0 || cursorHeight >= goal) events.onCaughtUp()
    if (run.length === 0) return POLL_MS
    let before: Predecessor = { chainId, height: cursorHeight, hash: cursorHash }
    const own: PoolBlock[] = []
    for (const block of run) {
      const error = foreignBlock(block, before)
      if (error) {
        await applyAll(own)
        return refuse(block, error)
      }
      own.push(block)
      before = block
    }
    await applyAll(own)
    return 0
  }
}
