import { type ChainClient, HistoryPrunedError, type PoolBlock } from '../../chain-client/index.ts'
import { agreedAccount, NodesDisagreeError } from '../opinions/account.ts'
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

/** The wallet's address is not one of the chain: another prefix is configured (interface 17.2). */
export class ForeignPrefixError extends Error {
  override name = 'ForeignPrefixError'

  constructor(address: string, expectedPrefix: string) {
    const [prefix] = address.split('1')
    super(`SERVICE_CHAIN_PREFIX is ${prefix}, and the addresses of the chain begin with ${expectedPrefix}`)
  }
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
 * Reads the wallet's account, to store it for the first time: its number, its sequence and the block of this state, after which
 * every block is read (interface 7.25).
 * @returns undefined when the chain does not know the account (it has received nothing yet)
 * @throws NodeUnavailableError, NodesDisagreeError
 * @throws ForeignPrefixError
 */
export async function readSigner(
  chain: Pick<ChainClient, 'agreement' | 'status'>,
  address: string
): Promise<SignerState | undefined> {
  const { chainId } = await chain.status()
  const found = await agreedAccount(chain, address)
  if (!found) return undefined
  if ('expectedPrefix' in found) throw new ForeignPrefixError(address, found.expectedPrefix)
  const { account, block } = found
  if (block.chainId !== chainId) {
    throw new NodesDisagreeError(
      `block ${block.height} is of ${block.chainId}, and a node follows ${chainId}`
    )
  }
  return {
    address,
    chainId,
    accountNumber: account.accountNumber,
    nextSequence: account.sequence,
    cursorHeight: block.height,
    cursorHash: block.hash,
    probePassed: false
  }
}
