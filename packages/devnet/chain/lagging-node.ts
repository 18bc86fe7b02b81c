import type { App } from './app.ts'
import type { Block, BlockStore } from './blocks/block-store.ts'
import type { Chain } from './chain.ts'
import { createCheckState } from './mempool/check-state.ts'
import { createMempool, type MempoolOptions } from './mempool/mempool.ts'
import { createQueries } from './queries/index.ts'
import { simulate } from './queries/simulate.ts'

/** A node of the same chain that lacks the newest blocks. */
export interface LaggingNode extends Chain {
  /** Sets how many blocks the node is behind. Reducing the lag makes it catch up immediately. */
  setLag(blocks: number): void
  /**
   * Disconnects the node from the network: it still serves its own state, but receives no blocks and forwards no
   * transactions. When reconnected, it catches up and forwards the transactions in its mempool.
   */
  setFrozen(frozen: boolean): void
  /** See `ControlledChain.prune`. */
  prune(height: number): void
}

/**
 * Creates a node whose blocks, state, index and mempool lag behind `chain`. The node checks transactions against its
 * own, older state. It adds accepted transactions to its own mempool and forwards them to `chain`. It receives no
 * transactions from other nodes. When the chain is upgraded to another chain id, the node stays on the old chain, like
 * an archive node.
 */
export function createLaggingNode(options: {
  chain: Chain
  app: App
  blocks: BlockStore
  limits: Omit<MempoolOptions, 'check'>
  lag: number
}): LaggingNode {
  const { chain, app, blocks, limits } = options
  let { lag } = options
  const { chainId, initialHeight } = chain
  let height = 0
  let base = 1
  let frozen = false
  const stateAt = (at: number) => app.store.at(at) ?? app.store
  const checkState = createCheckState(app, stateAt)
  const mempool = createMempool({ ...limits, check: checkState.checkTx })
  const query = createQueries(app, {
    '/cosmos.tx.v1beta1.Service/Simulate': request => simulate(app, request, checkState.context)
  })
  const listeners = new Set<(block: Block) => void>()
  const seen = <T extends { height: number }>(found: T | undefined) =>
    found !== undefined && found.height <= height ? found : undefined

  function catchUp(): void {
    while (!frozen && height < Math.max(1, chain.height - lag)) {
      const block = blocks.block(height + 1)
      if (block?.chainId !== chainId) return
      height = block.height
      checkState.reset(height, block.time)
      mempool.update(block.txs)
      for (const { hash } of block.txs) checkState.forget(hash)
      for (const listener of listeners) listener(block)
    }
  }

  const unsubscribe = chain.onBlock(catchUp)
  catchUp()

  return {
    chainId,
    initialHeight,
    validator: chain.validator,
    get consensusParams() {
      return chain.consensusParams
    },
    get height() {
      return height
    },
    get base() {
      return base
    },
    get appHash() {
      return blocks.block(height + 1)?.appHash ?? chain.appHash
    },
    get state() {
      return stateAt(height)
    },
    mempool,
    block: at => seen(blocks.block(at)),
    tx: hash => seen(blocks.tx(hash)),
    submitTx(bytes) {
      const result = mempool.add(bytes)
      if (result.code === 0 && !frozen) forward(chain, bytes)
      return result
    },
    query: (path, data, at) => query(path, data, at, height),
    onBlock(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start() {},
    stop: unsubscribe,
    setLag(blocksBehind) {
      lag = blocksBehind
      catchUp()
    },
    setFrozen(isFrozen) {
      frozen = isFrozen
      if (frozen) return
      catchUp()
      for (const bytes of mempool.list(mempool.size)) forward(chain, bytes)
    },
    prune(oldest) {
      base = Math.max(base, Math.min(oldest, height))
    }
  }
}

/** Gossips a transaction to the other node. Ignores the result. */
function forward(chain: Chain, bytes: Uint8Array): void {
  try {
    chain.submitTx(bytes)
  } catch {
    // The other node already has the transaction, or its mempool is full.
  }
}
