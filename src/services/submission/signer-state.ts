import type { ChainClient } from '../chain-client/index.ts'
import type { SignerState, SubmissionStore } from './store/types.ts'

/** The store was written for another wallet or another chain. */
export class StoreOwnerError extends Error {
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
