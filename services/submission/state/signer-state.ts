import type { ChainClient } from '../../chain-client/index.ts'
import type { SignerState, SubmissionStore } from '../store/types.ts'

/** The store was written for another wallet or another chain. */
class StoreOwnerError extends Error {
  override name = 'StoreOwnerError'
}

/**
 * The wallet's account as the store knows it, held against the present wallet.
 * @throws StoreOwnerError when the store belongs to another wallet
 */
export async function storedSigner(
  store: SubmissionStore,
  address: string
): Promise<SignerState | undefined> {
  const stored = await store.signer()
  if (stored && stored.address !== address) {
    throw new StoreOwnerError(`the store belongs to the wallet ${stored.address}, not to ${address}`)
  }
  return stored
}

/** The node follows another chain than the one that the store was written for. */
export class ForeignChainError extends Error {
  override name = 'ForeignChainError'
}

/**
 * Holds the node against the store before anything is signed: the same chain, the same history.
 * @returns false when the node has not reached the newest block that the store knows, so that nothing can be said
 * @throws ForeignChainError
 * @throws NodeUnavailableError
 */
export async function verifyChain(chain: ChainClient, { chainId, cursorHeight, cursorHash }: SignerState) {
  const status = await chain.status()
  if (status.chainId !== chainId) {
    throw new ForeignChainError(`the node follows ${status.chainId}, the store belongs to ${chainId}`)
  }
  if (status.height < cursorHeight) return false
  const block = await chain.block(cursorHeight)
  if (block && block.hash !== cursorHash) {
    throw new ForeignChainError(
      `block ${cursorHeight} of the node is not the one that the store knows: the chain was started anew ` +
        'or the node is on a fork; a new chain needs a store of its own'
    )
  }
  return block !== undefined
}

/**
 * Makes the first record of the wallet's account: its number, its sequence and the block as of which they hold,
 * from which on every block is read.
 * @returns undefined when the chain does not know the account (nobody has sent it anything yet)
 * @throws NodeUnavailableError
 */
export async function registerSigner(
  store: SubmissionStore,
  chain: ChainClient,
  address: string
): Promise<SignerState | undefined> {
  const { chainId } = await chain.status()
  const account = await chain.account(address)
  if (!account) return undefined
  const block = await chain.block(account.height)
  if (!block) return undefined
  const state: SignerState = {
    address,
    chainId,
    accountNumber: account.accountNumber,
    nextSequence: account.sequence,
    cursorHeight: block.height,
    cursorHash: block.hash
  }
  await store.putSigner(state)
  return state
}
