import { createApp } from './app.ts'
import { type Block, createBlockStore } from './blocks/block-store.ts'
import { createProducer } from './blocks/producer.ts'
import { txHash } from './hashes.ts'
import { createMempool } from './mempool/mempool.ts'
import type { ChainModule } from './module.ts'
import type { ChainOptions } from './options.ts'
import { createQueries } from './queries/index.ts'
import type { State, StateView } from './state/state.ts'
import type { TxResult } from './tx/context.ts'
import { createSignatureVerifier } from './tx/verify-signature.ts'

export type Chain = ReturnType<typeof createChain>

/**
 * Creates a single-validator chain with auth, bank and the given modules, for the network's servers, and with controls for
 * tests and tools. Hashes are upper-case hex.
 */
export function createChain(options: ChainOptions, modules: readonly ChainModule[]) {
  const app = createApp(options, modules)
  const blocks = createBlockStore()
  const mempool = createMempool(app)
  const producer = createProducer(app)
  const query = createQueries(app, mempool)
  const listeners = new Set<(block: Block) => void>()
  let afterSubmit: ((hash: string) => void) | undefined
  let base = 1

  function height(): number {
    return blocks.newest?.height ?? 0
  }

  /** Produces one block from the mempool immediately, regardless of the block clock. */
  function produceBlock(): Block {
    const block = producer.produce(mempool.reap(), blocks.newest)
    blocks.add(block)
    mempool.update(block)
    for (const listener of listeners) listener(block)
    return block
  }

  let clock: NodeJS.Timeout | undefined

  /** Starts or resumes the block clock. */
  function resume(): void {
    clock ??= setInterval(produceBlock, app.blockTimeMs)
  }

  /** Stops the block clock. The mempool still accepts transactions. */
  function pause(): void {
    clearInterval(clock)
    clock = undefined
  }

  return {
    get chainId() {
      return app.chainId
    },
    /** The height of the first block under this chain id. */
    get initialHeight() {
      return app.initialHeight
    },
    validator: producer.validator,
    get consensusParams() {
      return { maxBytes: app.maxBlockBytes, maxGas: app.maxBlockGas }
    },
    /** Height of the newest committed block; 0 before the first. */
    get height() {
      return height()
    },
    /** Height of the oldest block that is not pruned. Only the RPC server enforces this limit. */
    get base() {
      return base
    },
    mempool,
    /** The newest committed state. Do not keep it across an await. */
    state: app.store satisfies StateView,
    block: blocks.block,
    tx(hash: string) {
      const found = blocks.tx(hash)
      return found && found.height >= app.initialHeight ? found : undefined
    },
    /**
     * Runs CheckTx and adds the transaction to the mempool if the code is 0.
     * @throws Error when a real node would return a JSON-RPC error: transaction cached or too large, mempool full
     */
    submitTx(bytes: Uint8Array): TxResult {
      const result = mempool.add(bytes)
      afterSubmit?.(txHash(bytes))
      afterSubmit = undefined
      return result
    },
    /** Runs an ABCI query. `at` 0 means the newest state. */
    query: (path: string, data: Uint8Array, at: number) => query(path, data, at, height()),
    /** Calls `listener` after each commit. @returns a function that removes the listener */
    onBlock(listener: (block: Block) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Produces the first block and starts the block clock. */
    start(): void {
      if (height() === 0) produceBlock()
      resume()
    },
    stop: pause,
    produceBlock,
    pause,
    resume,
    /** Calls `act` with the hash of the next transaction, after its CheckTx and before the response. */
    afterNextSubmit(act: (hash: string) => void): void {
      afterSubmit = act
    },
    /** Removes a transaction from the mempool, as if it had never arrived. */
    drop: (hash: string): void => mempool.remove(hash, { cached: false }),
    /** Fails the next messages even if they are valid. */
    failMessages: app.messageFaults.set,
    setMempoolSize(size: number): void {
      app.mempoolSize = size
    },
    /** Sets the minimum gas price for CheckTx, a decimal. */
    setMinGasPrice(price: string): void {
      app.minGasPrice = price
    },
    /** Makes the RPC server respond as if blocks below `oldest` were pruned. Never prunes the newest block. */
    prune(oldest: number): void {
      base = Math.max(base, Math.min(oldest, height()))
    },
    /**
     * Restarts the chain under another chain id with the current state, as from an exported genesis whose
     * `initial_height` is the next height: the mempool is empty, and the first block has no predecessor. Older blocks
     * belong to the old chain.
     */
    upgrade(chainId: string): void {
      base = height() + 1
      app.chainId = chainId
      app.initialHeight = base
      app.verifySignature = createSignatureVerifier(chainId)
      mempool.clear()
      produceBlock()
    },
    /** Edits the committed state between two blocks, and the mempool's check state. */
    editState(change: (state: State) => void): void {
      change(app.store)
      change(mempool.context.state)
    },
    /** Returns the mempool's check state, which includes the account changes of pending transactions. */
    pendingState: (): StateView => mempool.context.state
  }
}
