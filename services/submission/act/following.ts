import { type NodeBlock, newestHeight, type PoolBlock } from '../../chain-client/index.ts'
import { foreignRequests, resolveSlots } from '../decide/block.ts'
import { hasLeft } from '../slots.ts'
import { decideSame, discontinuity, findWrongNode, type Predecessor } from './blocks.ts'
import type { EngineContext } from './context.ts'

const POLL_MS = 500

/** Creates the loop step that reads every block after the cursor, once and in order, and applies its results. */
export function createFollower(
  engine: EngineContext,
  events: {
    onBlock: () => void
    /** Called after a block that contains a wallet transaction missing from the store. */
    onForeign: () => void
    onCaughtUp: () => void
  }
): () => Promise<number> {
  const { store, chain, blocks, slots, evidence, log, spans } = engine
  /**
   * The follower has caught up at this height: the lowest of the newest heights reported since the start. A fast chain
   * may always be a few blocks ahead, and a node may have reported blocks that do not exist.
   */
  let goal = Number.POSITIVE_INFINITY
  let last: PoolBlock | undefined

  const adoptionsIn = (block: NodeBlock) =>
    foreignRequests(block, {
      address: engine.wallet.address,
      identify: engine.identify,
      isOwn: hash => slots.findSignedTx(hash) !== undefined
    })

  const isSame = (one: NodeBlock, other: NodeBlock) =>
    decideSame(one, other, block => ({
      ...resolveSlots(block, slots, engine.walletState()),
      adoptions: adoptionsIn(block).map(({ transactionHash, execution }) => ({
        transactionHash,
        status: execution?.status,
        txId: execution?.status === 'committed' && execution.txId
      }))
    }))

  function read(block: PoolBlock) {
    const { height, hash, time } = block
    const { resolutions, ignored } = resolveSlots(block, slots, engine.walletState())
    for (const odd of ignored)
      log.warn({ height, ...odd }, 'ignored a transaction that reports a sequence it cannot have consumed')
    for (const tx of block.transactions) {
      if (tx.code === 0 && slots.findSignedTx(tx.hash)?.submissionIds.some(hasLeft))
        log.error({ height, hash: tx.hash }, 'the same request was executed from two stores of one wallet')
    }
    return { height, hash, time, resolutions, adoptions: adoptionsIn(block) }
  }

  function applied({ height, hash, resolutions, adoptions }: ReturnType<typeof read>): void {
    spans.applied({ height, resolutions })
    for (const { sequence, transactionHash, origin, outcomes, failure } of resolutions) {
      slots.remove(sequence)
      const submissions = outcomes.length
      log.info({ height, sequence, hash: transactionHash, origin, submissions }, 'slot resolved')
      if (!failure) continue
      const { suspects: submissionIds, refusal } = failure
      log.warn(
        { height, sequence, submissionIds, reason: refusal.message },
        'a transaction failed in its block'
      )
      evidence.failed(failure)
    }
    const adopted = adoptions.filter(({ execution }) => execution !== undefined)
    for (const hash of new Set(adopted.map(({ transactionHash }) => transactionHash))) {
      const requests = adopted.filter(({ transactionHash }) => transactionHash === hash).length
      log.warn({ height, hash, requests }, 'adopted the requests of a foreign transaction')
    }
    if (adoptions.length > 0 || resolutions.some(({ origin }) => origin === 'foreign')) events.onForeign()
    const state = engine.walletState()
    const passed = resolutions.map(({ sequence }) => sequence + 1)
    const nextSequence = Math.max(state.nextSequence, ...passed)
    engine.setWalletState({ ...state, cursorHeight: height, cursorHash: hash, nextSequence })
  }

  /** Removes an executed submission from its slot. The broadcaster signs the slot again. */
  function leaveSlot(submissionId: string): void {
    const sequence = slots.leave(submissionId)
    if (sequence === undefined) return
    log.error(
      { submissionId, sequence },
      'another transaction already executed a submission of this slot; removing it'
    )
  }

  /** @returns false, with nothing changed, if two nodes reported different results */
  async function apply(block: PoolBlock): Promise<boolean> {
    const settled = await engine.withSlotLock(async () => {
      if (block.witness && !isSame(block, block.witness)) return undefined
      const outcome = read(block)
      const settled = await store.applyBlock(outcome)
      applied(outcome)
      for (const { submissionId } of settled) leaveSlot(submissionId)
      return settled
    })
    if (!settled) return false
    compareWithLast(block)
    last = block
    engine.publishSettled(settled)
    events.onBlock()
    return true
  }

  /** Wrong results that were already applied cannot be undone. */
  function compareWithLast(block: PoolBlock): void {
    if (!last || block.previousHash !== last.hash || block.lastResultsHash === last.resultsHash) return
    log.error(
      { height: last.height, node: last.node },
      'the next header contradicts the applied results of a block: run `verify` of the operator tool'
    )
  }

  /** Drops a witness that does not follow the cursor: a block of another chain or fork proves nothing. */
  function withoutFork(block: PoolBlock, before: Predecessor): PoolBlock {
    const error = block.witness && discontinuity(block.witness, before)
    if (!block.witness || !error) return block
    chain.distrust(block.witness.node, error.message)
    return { ...block, witness: undefined }
  }

  /** Returns whether the next block contradicts a block that only one node reported. */
  async function isContradicted(block: PoolBlock): Promise<boolean> {
    const isNewest = chain.health().every(({ height = 0 }) => height <= block.height)
    if (block.witness || isNewest) return false
    const next = await blocks.peek(block.height + 1).catch(() => undefined)
    return next?.previousHash === block.hash && next.lastResultsHash !== block.resultsHash
  }

  return async () => {
    const { chainId, cursorHeight: height, cursorHash: hash } = engine.walletState()
    goal = Math.min(goal, newestHeight(chain.health()) ?? goal)
    const found = await blocks.next(height + 1)
    if (!found || height >= goal) events.onCaughtUp()
    if (!found) return POLL_MS
    const cursor = { chainId, height, hash }
    const error = discontinuity(found, cursor)
    if (error) {
      blocks.forget()
      // A node that is already distrusted is read only if no other node is left.
      if (chain.distrust(found.node, error.message)) return 0
      throw error
    }
    const block = withoutFork(found, cursor)
    if (!(await isContradicted(block)) && (await apply(block))) return 0
    log.warn(
      { height: block.height },
      'nodes report different blocks or results, or the next header contradicts the results'
    )
    blocks.forget()
    return (await findWrongNode(chain, block, isSame)) ? 0 : POLL_MS
  }
}
