import type { ChainBlock, ChainNode } from '../../chain-client/index.ts'
import { lastSequenceIn, resolveSlots } from '../decide/block.ts'
import type { EngineContext } from './context.ts'
import { stepBack } from './following.ts'

const AUDIT_MS = 60_000

const RETRY_MS = 5000

/** How many blocks each audit searches for one that consumed the first open slot. */
const SEARCHED_AT_ONCE = 16
const MAX_SEARCHED = 320

/**
 * Creates the loop step that compares the store's next sequence with the account's at the cursor's block. At any other
 * block, unread transactions could explain a difference (interface 7.24). Corrects the store if a node reported a wrong
 * sequence at the first start.
 */
export function createAudit(engine: EngineContext, onCorrected: () => void): () => Promise<number> {
  const { chain, wallet, store, slots, blockers, log, walletState, setWalletState, withSlotLock } = engine
  /** The next block to search, backwards. */
  let searched: { height: number; hash: string; resultsHash: string } | undefined
  /** A sequence for which no block gave evidence. */
  let unproven: number | undefined

  /** Returns undefined if the node has a different block at this height or does not report the account's state there. */
  async function sequenceAt(node: ChainNode, height: number, hash: string): Promise<number | undefined> {
    try {
      const account = await node.account(wallet.address, height)
      // Read afterwards: a node that has left the chain in the meantime no longer has the cursor's block.
      const block = await node.block(height)
      if (block?.hash !== hash || account === undefined || !('sequence' in account)) return undefined
      return account.height === height ? account.sequence : undefined
    } catch {
      return undefined
    }
  }

  /**
   * Corrects the store's next sequence if two nodes agree on it and no slot is open. Any other report only raises a
   * blocker, and changes the store once a block proves it.
   */
  async function correct(sequence: number, isByTwo: boolean): Promise<number> {
    const state = walletState()
    const expected = slots.first()?.sequence ?? state.nextSequence
    if (sequence === expected) {
      blockers.clear('sequence-differs')
      return AUDIT_MS
    }
    if (slots.size > 0 || !isByTwo) {
      if (slots.size > 0 && sequence > expected) slots.consumed = sequence
      const { cursorHeight: height, cursorHash: hash, cursorResultsHash: resultsHash } = state
      if (slots.size > 0 ? sequence < expected : sequence === unproven) searched = undefined
      else searched ??= { height, hash, resultsHash }
      const reason = `the account's next sequence is ${sequence}, but the store's is ${expected}`
      blockers.raise('sequence-differs', reason)
      return RETRY_MS
    }
    await replace(sequence)
    return AUDIT_MS
  }

  async function replace(sequence: number): Promise<void> {
    const { nextSequence: expected } = walletState()
    await store.correctSequence(expected, sequence)
    setWalletState({ ...walletState(), nextSequence: sequence })
    blockers.clear('sequence-differs')
    log.warn({ sequence, expected }, "corrected the store's next sequence")
    onCorrected()
  }

  function consumesSlot(block: ChainBlock): boolean {
    try {
      const wallet = { ...engine.wallet, nextSequence: walletState().nextSequence }
      return resolveSlots(block, slots, wallet).resolutions.length > 0
    } catch {
      return false
    }
  }

  /**
   * Returns whether the wallet's newest transaction in a block proves a reported sequence; undefined if the block
   * contains no transaction of the wallet.
   */
  const provenBy = (block: ChainBlock, sequence: number): boolean | undefined => {
    const last = lastSequenceIn(block, { ...engine.wallet, nextSequence: walletState().nextSequence })
    return last === undefined
      ? undefined
      : last + 1 === sequence && block.resultsHash === searched?.resultsHash
  }

  /**
   * Searches backwards for the block that consumed the first open slot or the next sequence: its results were wrong when it
   * was applied. Without open slots, the wallet's newest transaction also proves a lower sequence than the store's.
   * @returns whether anything was found and is corrected
   */
  async function searchBlocks(sequence: number): Promise<boolean> {
    const lowest = Math.max(1, walletState().cursorHeight - engine.settings.lookBackBlocks)
    for (let count = 0; searched && count < MAX_SEARCHED; count += SEARCHED_AT_ONCE) {
      const { height } = searched
      const length = Math.min(SEARCHED_AT_ONCE, height - lowest + 1)
      const asked = Array.from({ length }, (_, index) => chain.block(height - index).catch(() => undefined))
      if (length <= 0) {
        searched = undefined
        unproven = sequence
      }
      for (const block of await Promise.all(asked)) {
        if (!searched || block?.hash !== searched.hash) {
          // A node has pruned the block, or is wrong: begin again.
          searched = undefined
          return false
        }
        if (consumesSlot(block)) {
          searched = undefined
          log.error(
            { height: block.height },
            'the applied results of a block were wrong: applying them again'
          )
          await stepBack(engine, block)
          return true
        }
        const isProven = slots.size === 0 ? provenBy(block, sequence) : undefined
        if (isProven !== undefined) {
          searched = undefined
          unproven = sequence
          if (isProven) await withSlotLock(() => replace(sequence))
          return isProven
        }
        const { previousHash: hash = '', lastResultsHash: resultsHash } = block
        searched = { height: block.height - 1, hash, resultsHash }
      }
    }
    return false
  }

  async function audit(): Promise<{ pause: number; sequence?: number }> {
    const { cursorHeight, cursorHash } = walletState()
    const { agreed, isByTwo } = await chain.crossCheck({
      question: 'account',
      ask: node => sequenceAt(node, cursorHeight, cursorHash),
      agree: (one, other) => one !== undefined && one === other
    })
    const [sequence] = agreed ?? []
    if (sequence === undefined) return { pause: RETRY_MS }
    return withSlotLock(async () => {
      // A block may have consumed sequences in the meantime.
      const isCurrent = walletState().cursorHeight === cursorHeight
      return { pause: isCurrent ? await correct(sequence, isByTwo) : RETRY_MS, sequence }
    })
  }

  return async () => {
    const { pause, sequence } = await audit()
    return searched && sequence !== undefined && (await searchBlocks(sequence)) ? 0 : pause
  }
}
