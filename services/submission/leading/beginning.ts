import { NodeUnavailableError } from '../../chain-client/index.ts'
import { registerSigner, storedSigner, verifyChain } from '../state/signer-state.ts'
import type { SignerState, SubmissionStore } from '../store/types.ts'
import type { TermContext } from './term-context.ts'

/** The pause between two checks whether the chain knows the account and a node has the right chain and history. */
export const IMPEDED_MS = 2000

/** How a term begins: with what the store holds, or with the account as the chain reports it for the first time. */
export interface Beginning {
  /**
   * Loads what the store holds, and compares the node with it. Returns even when no node answers.
   * @throws StoreOwnerError, ForeignChainError, StoreCorruptError
   */
  begin(): Promise<void>
  /** Stores the wallet's account for the first time. @returns the pause until the next attempt; 0 when it is stored */
  register(): Promise<number>
}

export function createBeginning(
  context: TermContext,
  store: Pick<SubmissionStore, 'signer'>,
  epoch: number
): Beginning {
  const { chain, wallet, slots, impediments, log } = context

  async function load(account: SignerState): Promise<void> {
    const variants = await context.store.openVariants()
    for (const variant of variants) slots.add(variant)
    context.setSigner(account)
    chain.expectChain(account.chainId)
    impediments.clear('wallet-unknown')
    const { address, chainId, nextSequence, cursorHeight } = account
    log.info(
      { address, chainId, sequence: nextSequence, height: cursorHeight, open: slots.size, epoch },
      'engine ready'
    )
  }

  async function register(): Promise<number> {
    const account = await registerSigner(context.store, chain, wallet.address)
    if (!account) {
      impediments.raise(
        'wallet-unknown',
        `${wallet.address} has no account on the chain: it needs funds for its fees`
      )
      return IMPEDED_MS
    }
    await load(account)
    return 0
  }

  /** Checks the node against the store at the start. Without a node the engine starts all the same. */
  async function checkChain(stored: SignerState | undefined): Promise<void> {
    try {
      if (!stored) await register()
      else if (!(await verifyChain(chain, stored))) {
        log.warn({ height: stored.cursorHeight }, 'no node has the newest block that was read before')
      }
    } catch (error) {
      if (!(error instanceof NodeUnavailableError)) throw error
      impediments.raise('node-unreachable', error.message)
    }
  }

  return {
    async begin() {
      const stored = await storedSigner(store, wallet.address)
      if (stored) await load(stored)
      await checkChain(stored)
    },
    register
  }
}
