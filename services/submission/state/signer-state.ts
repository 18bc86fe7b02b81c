import {
  type ChainClient,
  HistoryPrunedError,
  NodeUnavailableError,
  type PoolBlock
} from '../../chain-client/index.ts'
import type { EngineStore } from '../store/engine-store.ts'
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
  store: Pick<SubmissionStore, 'signer'>,
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

/** The block at the cursor; undefined when no node has it. */
async function blockAt(chain: ChainClient, height: number): Promise<PoolBlock | undefined> {
  try {
    return await chain.block(height)
  } catch (error) {
    if (error instanceof HistoryPrunedError) return undefined
    throw error
  }
}

/**
 * Checks before anything is signed that a node has the chain and the history of the store. A node with another history
 * is passed over while there are others.
 * @returns false when no node has the block at the cursor, so that the history cannot be compared
 * @throws ForeignChainError
 * @throws NodeUnavailableError
 */
export async function verifyChain(chain: ChainClient, signer: SignerState): Promise<boolean> {
  const { chainId, cursorHeight, cursorHash } = signer
  const status = await chain.status()
  if (status.chainId !== chainId) {
    throw new ForeignChainError(`the node follows ${status.chainId}, the store belongs to ${chainId}`)
  }
  if (status.height < cursorHeight) return false
  const block = await blockAt(chain, cursorHeight)
  if (block && block.hash !== cursorHash) {
    const error = new ForeignChainError(
      `block ${cursorHeight} of the node is not the one in the store: the chain was restarted or the node is on ` +
        'a fork; a new chain needs a new store'
    )
    if (chain.distrust(block.node, error.message)) return verifyChain(chain, signer)
    throw error
  }
  return block !== undefined
}

/**
 * Stores the wallet's account for the first time: its number, its sequence and the block of this state, after which
 * every block is read. It is believed only when it is said again, because the store keeps it for good.
 * @returns undefined when the chain does not know the account (it has received nothing yet)
 * @throws NodeUnavailableError
 */
export async function registerSigner(
  store: Pick<EngineStore, 'putSigner'>,
  chain: ChainClient,
  address: string
): Promise<SignerState | undefined> {
  const { chainId } = await chain.status()
  const account = await chain.account(address)
  if (!account) return undefined
  const block = await chain.block(account.height)
  if (!block) return undefined
  const again = await chain.account(address)
  if (again?.accountNumber !== account.accountNumber || again.sequence !== account.sequence) {
    throw new NodeUnavailableError(block.node, 'two answers about the account differ')
  }
  if (block.chainId !== chainId) {
    throw new NodeUnavailableError(block.node, `follows ${block.chainId}, and another node ${chainId}`)
  }
  const state: SignerState = {
    address,
    chainId,
    accountNumber: account.accountNumber,
    nextSequence: account.sequence,
    cursorHeight: block.height,
    cursorHash: block.hash,
    probePassed: false
  }
  await store.putSigner(state)
  return state
}
