import { HistoryPrunedError, NodeUnavailableError } from '../../chain-client/index.ts'
import { NodesDisagreeError } from '../opinions/account.ts'
import { unknownRequests } from '../settle/wallet-requests.ts'
import type { SignerState, SubmissionStore } from '../store/types.ts'
import { ForeignChainError, ForeignPrefixError, readSigner, storedSigner, verifyChain } from './account.ts'
import type { EngineContext } from './context.ts'

/** The pause between two checks whether the chain knows the account and a node has the right chain and history. */
export const BLOCKED_MS = 2000

/** How long a start waits for a look back, which may go on after it. */
const MOST_LOOKING_MS = 5000

/** Blocks that are requested at once. */
const BLOCKS_AT_ONCE = 16

/**
 * Looks back over the chain before a new store begins at the block of the wallet's account: what the wallet has executed is
 * adopted, so that a retry gets its result (interface 7.23). Each block must have the hash that the one after it names.
 * @returns a step, which reads some blocks, the newest first. It resolves with true at the bound, and where no node has an
 *   earlier block. It throws NodeUnavailableError, and ForeignChainError when the nodes contradict each other
 */
export function createLookBack(
  { chain, store, wallet, identify, settings, blockers, log }: EngineContext,
  { nextSequence, cursorHeight, cursorHash }: SignerState
): () => Promise<boolean> {
  const depth = nextSequence > 0 ? settings.lookBackBlocks : 0
  const lowest = Math.max(1, cursorHeight - depth + 1)
  let height = cursorHeight
  let hash: string | undefined = cursorHash
  let adopted = 0
  if (depth > 0) {
    const reason = `a new store: what the wallet has executed is read from the blocks ${lowest} to ${cursorHeight}`
    blockers.raise('looking-back', reason)
  }

  async function readNext(asked: ReturnType<typeof chain.block>): Promise<void> {
    const block = await asked
    if (!block) throw new NodeUnavailableError('of the pool', `no node has block ${height} at present`)
    if (block.hash !== hash) {
      const error = new ForeignChainError(
        `block ${height} of the node is not the one that the next block follows`
      )
      chain.distrust(block.node, error.message)
      throw error
    }
    const requests = unknownRequests(block, { address: wallet.address, identify, isKnown: () => false })
    if (requests.length > 0) await store.adopt(requests)
    adopted += requests.length
    height -= 1
    hash = block.previousHash
  }

  function finish(): true {
    if (depth > 0) log.info({ from: height + 1, to: cursorHeight, adopted }, 'looked back over the chain')
    return true
  }

  return async () => {
    const count = Math.min(BLOCKS_AT_ONCE, height - lowest + 1)
    const asked = Array.from({ length: count }, (_, index) => chain.block(height - index))
    for (const request of asked) request.catch(() => {})
    try {
      for (const request of asked) await readNext(request)
    } catch (error) {
      // No node has this block, nor any before it.
      if (error instanceof HistoryPrunedError) return finish()
      throw error
    }
    return height < lowest && finish()
  }
}

/** How a term begins: with what the store holds, or with the account as the chain reports it for the first time. */
export interface Beginning {
  /**
   * Loads what the store holds, and compares the node with it. Returns even when no node answers.
   * @throws StoreOwnerError, ForeignChainError, StoreCorruptError
   */
  begin(): Promise<void>
  /**
   * Stores the wallet's account for the first time, after a look back over the chain (interface 7.23).
   * @returns the pause until the next step or attempt
   * @throws NodeUnavailableError, NodesDisagreeError, StoreOwnerError
   */
  register(): Promise<number>
}

export function createBeginning(
  context: EngineContext,
  store: Pick<SubmissionStore, 'signer'>,
  epoch: number
): Beginning {
  const { chain, wallet, slots, blockers, clock, log } = context
  /** What the chain says of the account, and the look back from there. */
  let found: { account: SignerState; lookBack: () => Promise<boolean> } | undefined

  async function load(account: SignerState): Promise<void> {
    const variants = await context.store.openVariants()
    for (const variant of variants) slots.add(variant)
    context.setSigner(account)
    chain.expectChain(account.chainId)
    blockers.clear('wallet-unknown', 'looking-back', 'nodes-disagree')
    const { address, chainId, nextSequence, cursorHeight } = account
    log.info(
      { address, chainId, sequence: nextSequence, height: cursorHeight, open: slots.size, epoch },
      'engine ready'
    )
  }

  /** Reads the account where the chain knows it. @throws NodeUnavailableError, NodesDisagreeError */
  async function find(): Promise<typeof found> {
    try {
      const account = await readSigner(chain, wallet.address)
      if (account) return { account, lookBack: createLookBack(context, account) }
      blockers.raise(
        'wallet-unknown',
        `${wallet.address} has no account on the chain: it needs funds for its fees`
      )
    } catch (error) {
      if (!(error instanceof ForeignPrefixError)) throw error
      blockers.raise('wallet-unknown', error.message)
    }
    return undefined
  }

  async function register(): Promise<number> {
    found ??= await find()
    if (!found) return BLOCKED_MS
    try {
      if (!(await found.lookBack())) return 0
    } catch (error) {
      if (!(error instanceof ForeignChainError)) throw error
      // Either node may be the one that is wrong, so the account is asked for again too.
      log.warn({ reason: error.message }, 'the look back begins again')
      found = undefined
      return BLOCKED_MS
    }
    // An attempt that failed afterwards, or whose commit did, may have stored it already.
    const stored = await storedSigner(store, wallet.address)
    if (!stored) await context.store.putSigner(found.account)
    await load(stored ?? found.account)
    return 0
  }

  async function registerSoon(): Promise<void> {
    const end = clock.elapsed() + MOST_LOOKING_MS
    while (!context.account && clock.elapsed() < end && (await register()) === 0);
  }

  /** Checks the node against the store at the start. Without a node the engine starts all the same. */
  async function checkChain(stored: SignerState | undefined): Promise<void> {
    try {
      if (!stored) await registerSoon()
      else if (!(await verifyChain(chain, stored))) {
        log.warn({ height: stored.cursorHeight }, 'no node has the newest block that was read before')
      }
    } catch (error) {
      if (error instanceof NodesDisagreeError) return blockers.raise('nodes-disagree', error.message)
      if (!(error instanceof NodeUnavailableError)) throw error
      if (!blockers.has('looking-back')) blockers.raise('node-unreachable', error.message)
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
