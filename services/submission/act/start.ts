import { HistoryPrunedError, newestHeight } from '../../chain-client/index.ts'
import type { BlockerKind, Chain, SubmissionStore, WalletState } from '../contract.ts'
import { blockerOf } from '../decide/blockers.ts'
import { readWalletState } from './account.ts'
import { BLOCKED_MS } from './blockers.ts'
import { ForeignChainError } from './blocks.ts'
import type { EngineContext } from './context.ts'
import { createLookBack } from './look-back.ts'

/** How long a start waits for the look-back, which can continue afterwards. */
const MAX_LOOKING_MS = 5000

/** Blockers that do not make a start fail, because they can end without a restart. */
const CURABLE: readonly BlockerKind[] = [
  'wallet-unknown',
  'account-unsupported',
  'node-unreachable',
  'results-unreadable',
  'nodes-disagree',
  'store-corrupt'
]

class StoreOwnerError extends Error {
  override name = 'StoreOwnerError'
}

/** @throws StoreOwnerError if the store belongs to another wallet */
export async function storedWalletState(
  store: Pick<SubmissionStore, 'walletState'>,
  address: string
): Promise<WalletState | undefined> {
  const stored = await store.walletState()
  if (stored && stored.address !== address) {
    throw new StoreOwnerError(`the store belongs to the wallet ${stored.address}, not to ${address}`)
  }
  return stored
}

/**
 * Checks that a node is on the store's chain and has the block at the cursor. Skips nodes with a different history
 * while other nodes are left.
 * @returns false if no node has that block, so that the history cannot be compared
 * @throws ForeignChainError, NodeUnavailableError
 */
export async function verifyChain(chain: Chain, stored: WalletState): Promise<boolean> {
  const { chainId, cursorHeight, cursorHash } = stored
  const status = await chain.status()
  if (status.chainId !== chainId) {
    throw new ForeignChainError(
      `the node is on chain ${status.chainId}, but the store belongs to chain ${chainId}`
    )
  }
  if (status.height < cursorHeight) return false
  const block = await chain.block(cursorHeight).catch(error => {
    if (error instanceof HistoryPrunedError) return undefined
    throw error
  })
  if (!block) return false
  if (block.hash === cursorHash) return true
  const error = new ForeignChainError(
    `the node's block ${cursorHeight} differs from the block in the store: the chain was restarted or the node is on ` +
      'a fork; a new chain needs a new store'
  )
  if (chain.quarantine(block.node, error.message)) return verifyChain(chain, stored)
  throw error
}

/** Starts a term from the stored state, or from the account on the chain if the store is new. */
export function createStart(
  context: EngineContext,
  store: Pick<SubmissionStore, 'walletState'>,
  { epoch, onLoaded }: { epoch: number; onLoaded: () => void }
) {
  const { chain, wallet, slots, blockers, clock, log } = context
  let found: { account: WalletState; lookBack: () => Promise<boolean> } | undefined

  async function load(account: WalletState): Promise<void> {
    for (const signedTx of await context.store.openSignedTxs()) slots.add(signedTx)
    context.setWalletState(account)
    chain.expectChain(account.chainId)
    blockers.clear('looking-back', 'nodes-disagree')
    onLoaded()
    const { address, chainId, nextSequence, cursorHeight } = account
    log.info(
      { address, chainId, sequence: nextSequence, height: cursorHeight, open: slots.size, epoch },
      'engine ready'
    )
  }

  /**
   * Stores the wallet's account for the first time, after the look-back (interface 7.23).
   * @returns the pause until the next step
   * @throws what `readWalletState` throws, StoreOwnerError
   */
  async function register(): Promise<number> {
    const stored = await storedWalletState(store, wallet.address)
    if (stored) {
      await load(stored)
      return 0
    }
    if (!found) {
      const account = await readWalletState(chain, wallet.address)
      found = { account, lookBack: createLookBack(context, account) }
    }
    try {
      if (!(await found.lookBack())) return 0
    } catch (error) {
      if (!(error instanceof ForeignChainError)) throw error
      // The cause may be a wrong report of the account, so request that again too.
      log.warn({ reason: error.message }, 'restarting the look-back')
      found = undefined
      return BLOCKED_MS
    }
    await context.store.putWalletState(found.account)
    await load(found.account)
    return 0
  }

  /** Compares the stored state with that of a node, which may have later blocks. */
  async function compare(stored: WalletState, isFirst: boolean): Promise<void> {
    const { cursorHeight: height } = stored
    if (!(await verifyChain(chain, stored)))
      log.warn({ height }, 'no node has the last block that this service processed')
    const newest = newestHeight(chain.health()) ?? height
    if (isFirst && newest > height) blockers.raise('catching-up', `reading blocks ${height + 1} to ${newest}`)
  }

  return {
    register,
    /**
     * Loads the stored state, and checks it against a node. Returns even if no node responds.
     * @param isFirst whether this process has accepted nothing yet. A process that takes over from another leader keeps
     *   its intake open.
     * @throws StoreOwnerError, ForeignChainError
     */
    async begin(isFirst: boolean): Promise<void> {
      const end = clock.elapsed() + MAX_LOOKING_MS
      let pause: number
      try {
        const isNew = (await storedWalletState(store, wallet.address)) === undefined
        do pause = await register()
        while (!context.account && pause === 0 && clock.elapsed() < end)
        if (context.account && !isNew) await compare(context.account, isFirst)
      } catch (error) {
        if (!CURABLE.includes(blockerOf(error))) throw error
        // Nodes may need some time during a look-back.
        blockers.failed('follower', error, blockers.has('looking-back') ? undefined : 0)
      }
    }
  }
}
