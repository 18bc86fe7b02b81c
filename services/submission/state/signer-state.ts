import type { ChainClient } from '../../chain-client/index.ts'
import type { SignerState, SubmissionStore } from '../store/types.ts'

/** The store was written for another wallet or another chain. */
class StoreOwnerError extends Error {
  override name = 'StoreOwnerError'
}

/**
 * The stored state of the wallet's account.
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
 * Checks before anything is signed that the node has the chain and the history of the store.
 * @returns false when the node has not reached the cursor, so that the history cannot be compared
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
      `block ${cursorHeight} of the node is not the one in the store: the chain was restarted or the node is on ` +
        'a fork; a new chain needs a new store'
    )
  }
  return block !== undefined
}

/**
 * Stores the wallet's account for the first time: its number, its sequence and the block of this state, after which
 * every block is read.
 * @returns undefined when the chain does not know the account (it has received nothing yet)
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
