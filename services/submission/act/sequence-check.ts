import type { ChainNode } from '../../chain-client/index.ts'
import type { EngineContext } from './context.ts'

const AUDIT_MS = 60_000

const RETRY_MS = 5000

/**
 * Creates the loop step that compares the store's next sequence with the account's at the cursor's block. At any other
 * block, unread transactions could explain a difference (interface 7.24). Corrects the store if a node reported a wrong
 * sequence at the first start.
 */
export function createAudit(
  {
    chain,
    wallet,
    store,
    slots,
    blockers,
    log,
    walletState,
    setWalletState,
    withSlotLock
  }: Pick<
    EngineContext,
    | 'chain'
    | 'wallet'
    | 'store'
    | 'slots'
    | 'blockers'
    | 'log'
    | 'walletState'
    | 'setWalletState'
    | 'withSlotLock'
  >,
  onCorrected: () => void
): () => Promise<number> {
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

  /** A single node's report, or one while slots are open, raises a blocker but never changes the store. */
  async function correct(sequence: number, isByTwo: boolean): Promise<number> {
    const state = walletState()
    const expected = slots.first()?.sequence ?? state.nextSequence
    if (sequence === expected) {
      blockers.clear('sequence-differs')
      return AUDIT_MS
    }
    if (slots.size > 0 || !isByTwo) {
      const reason = `the account's next sequence is ${sequence}, but the store's is ${expected}`
      blockers.raise('sequence-differs', reason)
      return RETRY_MS
    }
    await store.correctSequence(expected, sequence)
    setWalletState({ ...state, nextSequence: sequence })
    blockers.clear('sequence-differs')
    log.warn({ sequence, expected }, "corrected the store's next sequence")
    onCorrected()
    return AUDIT_MS
  }

  return async () => {
    const { cursorHeight, cursorHash } = walletState()
    const { agreed, opinions } = await chain.agreement({
      question: 'account',
      ask: node => sequenceAt(node, cursorHeight, cursorHash),
      agree: (one, other) => one !== undefined && one === other
    })
    const [sequence] = agreed ?? []
    if (sequence === undefined) return RETRY_MS
    const isByTwo = new Set(opinions.map(({ node }) => node)).size > 1
    return withSlotLock(async () => {
      // A block may have consumed sequences in the meantime.
      return walletState().cursorHeight === cursorHeight ? correct(sequence, isByTwo) : RETRY_MS
    })
  }
}
