import type { Block, BlockStore } from './blocks/block-store.ts'
import type { Chain } from './chain.ts'
import { createMempool } from './mempool/mempool.ts'
import { createQueries } from './queries/index.ts'
import type { App } from './tx/app.ts'

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
 * own, older state and forwards those that it accepts to `chain`, but receives none. When the chain is upgraded to
 * another chain id, the node stays on the old chain, like an archive node.
 */
export function createLaggingNode(options: {
  chain: Chain
  app: App
  blocks: BlockStore
  lag: number
}): LaggingNode {
  const { chain, app, blocks } = options
  let { lag } = options
  const { chainId, initialHeight } = chain
  let height = 0
  let base = 1
  let frozen = false
  const stateAt = (at: number) => app.store.at(at) ?? app.store
  const mempool = createMempool(app, stateAt)
  const query = createQueries(app, mempool)
  const listeners = new Set<(block: Block) => void>()
  const seen = <T extends { height: number }>(found: T | undefined) =>
    found !== undefined && found.height <= height ? found : undefined

  function catchUp(): void {
    while (!frozen && height < Math.max(1, chain.height - lag)) {
      const block = blocks.block(height + 1)
      if (block?.chainId !== chainId) return
      height = block.height
      mempool.update(block)
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

/** Gossips a transaction to the other node. */
function forward(chain: Chain, bytes: Uint8Array): void {
  try {
    chain.submitTx(bytes)
  } catch {
    // The other node already has the transaction, or its mempool is full.
  }
}
