import { type ChainBlock, type NodeBlock, newestHeight, type PoolBlock } from '../../chain-client/index.ts'
import { type ReadBlock, readBlock } from '../decide/block.ts'
import { type BlockEvidence, nextHeader } from '../decide/block-move.ts'
import { hasLeft } from '../slots.ts'
import { blockOfEachNode, discontinuity, judgeBlock, NodesDisagreeError, type Predecessor } from './blocks.ts'
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

  const read = (block: ChainBlock) =>
    readBlock(block, slots, {
      ...engine.wallet,
      identify: engine.identify,
      nextSequence: engine.walletState().nextSequence
    })

  function logOddities({ height, transactions }: ChainBlock, { ignored }: ReadBlock): void {
    for (const odd of ignored)
      log.warn({ height, ...odd }, 'ignored a transaction that reports a sequence it cannot have consumed')
    for (const { code, hash } of transactions) {
      if (code === 0 && slots.findSignedTx(hash)?.submissionIds.some(hasLeft))
        log.error({ height, hash }, 'the same request was executed from two stores of one wallet')
    }
  }

  function applied(
    { height, hash, resultsHash }: ChainBlock,
    { resolutions, adoptions, unclear }: ReadBlock
  ): void {
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
    for (const [sequence, failedTx] of unclear) Object.assign(slots.get(sequence) ?? {}, { failedTx })
    const adopted = adoptions.filter(({ execution }) => execution !== undefined)
    for (const hash of new Set(adopted.map(({ transactionHash }) => transactionHash))) {
      const requests = adopted.filter(({ transactionHash }) => transactionHash === hash).length
      log.warn({ height, hash, requests }, 'adopted the requests of a foreign transaction')
    }
    if (adoptions.length > 0 || resolutions.some(({ origin }) => origin === 'foreign')) events.onForeign()
    const state = engine.walletState()
    const passed = resolutions.map(({ sequence }) => sequence + 1)
    const nextSequence = Math.max(state.nextSequence, ...passed)
    const cursor = { cursorHeight: height, cursorHash: hash, cursorResultsHash: resultsHash }
    engine.setWalletState({ ...state, ...cursor, nextSequence })
  }

  /** Removes an executed submission from its slot. The broadcaster signs the slot again. */
  function leaveSlot(submissionId: string): void {
    const sequence = slots.leave(submissionId)
    if (sequence === undefined) return
    log.error(
      { submissionId, sequence },
      'another transaction already executed a submission of this slot; removing the submission from it'
    )
  }

  async function apply(block: ChainBlock): Promise<void> {
    const settled = await engine.withSlotLock(async () => {
      const outcome = read(block)
      logOddities(block, outcome)
      const { height, hash, resultsHash, time } = block
      const { resolutions, adoptions } = outcome
      const settled = await store.applyBlock({ height, hash, resultsHash, time, resolutions, adoptions })
      applied(block, outcome)
      for (const { submissionId } of settled) leaveSlot(submissionId)
      return settled
    })
    engine.publishSettled(settled)
    events.onBlock()
  }

  function quarantine(nodes: readonly string[], height: number): void {
    for (const node of nodes) {
      log.warn({ node, height }, 'a node reported a block, or results, that differ from the chain')
      chain.quarantine(node, `its block ${height}, or the results of that block, differ from the chain`)
    }
  }

  /** Returns the block as all nodes report it, without blocks that do not follow the cursor. */
  async function fromAllNodes(height: number, before: Predecessor): Promise<NodeBlock[]> {
    return (await blockOfEachNode(chain, height)).filter(block => !discontinuity(block, before))
  }

  async function find(about: 'next' | 'otherNodes', { responses }: BlockEvidence, before: Predecessor) {
    const height = before.height + 1
    if (about === 'otherNodes') {
      const blocks = new Map(
        [...responses, ...(await fromAllNodes(height, before))].map(one => [one.node, one])
      )
      return { responses: [...blocks.values()], isComplete: true }
    }
    const next = await blocks.peek(height + 1).catch(() => undefined)
    const headers = [next, next?.second].filter(header => header !== undefined)
    return { next: nextHeader(headers, responses) }
  }

  function decide(block: PoolBlock, before: Predecessor) {
    const nodes = chain.health()
    const evidence: BlockEvidence = {
      responses: block.second ? [block, block.second] : [block],
      isNewest: nodes.every(({ height = 0 }) => height <= block.height),
      isOnlyNode: nodes.length === 1,
      isComplete: false
    }
    return judgeBlock(evidence, read, (about, known) => find(about, known, before))
  }

  /**
   * Corrects the results of the last block, which the next header contradicts: finds the results that fit, and steps
   * back in order to apply them instead.
   */
  async function correctLast({ lastResultsHash }: ChainBlock): Promise<void> {
    const { chainId, cursorHeight: height, cursorHash } = engine.walletState()
    log.error({ height }, 'the next header contradicts the applied results of a block, which is read again')
    const reported = (await blockOfEachNode(chain, height)).filter(({ hash }) => hash === cursorHash)
    const right = reported.find(({ resultsHash }) => resultsHash === lastResultsHash)
    if (!right)
      throw new NodesDisagreeError(`no node has results of block ${height} that match the next header`)
    const wrong = reported.filter(({ resultsHash }) => resultsHash !== lastResultsHash)
    quarantine(
      wrong.map(({ node }) => node),
      height
    )
    blocks.forget()
    await stepBack(engine, right)
    log.warn({ height, chainId }, 'stepped back one block to apply the right results')
  }

  /** Drops a second node's block that does not follow the cursor: a block of another chain or fork proves nothing. */
  function withoutFork(block: PoolBlock, before: Predecessor): PoolBlock {
    const error = block.second && discontinuity(block.second, before)
    if (!block.second || !error) return block
    chain.quarantine(block.second.node, error.message)
    return { ...block, second: undefined }
  }

  return async () => {
    const { chainId, cursorHeight: height, cursorHash: hash, cursorResultsHash } = engine.walletState()
    goal = Math.min(goal, newestHeight(chain.health()) ?? goal)
    const found = await blocks.next(height + 1)
    if (!found || height >= goal) events.onCaughtUp()
    if (!found) return POLL_MS
    const cursor = { chainId, height, hash }
    const error = discontinuity(found, cursor)
    if (error) {
      blocks.forget()
      // A node that is already quarantined is read only if no other node is left.
      if (chain.quarantine(found.node, error.message)) return 0
      throw error
    }
    const move = await decide(withoutFork(found, cursor), cursor)
    if (move.do === 'wait') return POLL_MS
    if (move.wrong.length > 0) blocks.forget()
    quarantine(move.wrong, height + 1)
    if (move.do === 'raise') {
      blocks.forget()
      throw new NodesDisagreeError(move.reason)
    }
    if (move.block.lastResultsHash === cursorResultsHash) await apply(move.block)
    else await correctLast(move.block)
    return 0
  }
}

/** Moves the cursor back to the predecessor of a block, and reopens the slots that the block resolved. */
export async function stepBack(
  engine: Pick<EngineContext, 'withSlotLock' | 'store' | 'slots' | 'walletState' | 'setWalletState'>,
  { height, previousHash = '', lastResultsHash }: ChainBlock
): Promise<void> {
  const { store, slots } = engine
  await engine.withSlotLock(async () => {
    // Another correction may have stepped further back in the meantime.
    if (engine.walletState().cursorHeight < height) return
    await store.stepBack({ height: height - 1, hash: previousHash, resultsHash: lastResultsHash })
    const signedTxs = await store.openSignedTxs()
    slots.clear()
    for (const signedTx of signedTxs) slots.add(signedTx)
    const cursor = { cursorHeight: height - 1, cursorHash: previousHash, cursorResultsHash: lastResultsHash }
    engine.setWalletState({ ...engine.walletState(), ...cursor })
  })
}
