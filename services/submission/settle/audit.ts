import type { ChainNode } from '../../chain-client/index.ts'
import type { EngineContext } from '../lead/context.ts'

/** The pause after an audit, and after one that nodes could not answer or while the sequences differ. */
const AUDIT_MS = 60_000
const RETRY_MS = 5000

/**
 * Compares the store's next sequence with the account's, as two nodes report it exactly after the block at the cursor.
 * Only then can no unread block make them differ (interface 7.26). A node may have been wrong at the first start.
 * @param onCorrected called when the next sequence was corrected
 * @returns a loop step
 */
export function createAudit(
  { chain, wallet, store, slots, blockers, log, walletState, setWalletState, withSlotLock }: EngineContext,
  onCorrected: () => void
): () => Promise<number> {
  /** Undefined if the node has another block at this height, or cannot report it. */
  async function sequenceAt(node: ChainNode, height: number, hash: string): Promise<number | undefined> {
    try {
      const [account, block] = await Promise.all([node.account(wallet.address, height), node.block(height)])
      const isOwn = block?.hash === hash && account !== undefined && 'sequence' in account
      return isOwn ? account.sequence : undefined
    } catch {
      return undefined
    }
  }

  /** The report of a single node stops the service, but changes nothing. */
  async function correct(sequence: number, isByTwo: boolean): Promise<number> {
    const state = walletState()
    const expected = slots.first()?.sequence ?? state.nextSequence
    if (sequence === expected) {
      blockers.clear('sequence-differs')
      return AUDIT_MS
    }
    if (slots.size > 0 || !isByTwo) {
      const reason = `the next sequence of the account is ${sequence}, and that of the store ${expected}`
      blockers.raise('sequence-differs', reason)
      return RETRY_MS
    }
    await store.correctSequence(expected, sequence)
    setWalletState({ ...state, nextSequence: sequence })
    blockers.clear('sequence-differs')
    log.warn({ sequence, expected }, 'corrected the next sequence of the store')
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
      // A block may have consumed sequences meanwhile.
      return walletState().cursorHeight === cursorHeight ? correct(sequence, isByTwo) : RETRY_MS
    })
  }
}
