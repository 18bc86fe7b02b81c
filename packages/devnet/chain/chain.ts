import type { Block, CommittedTx } from './blocks/block-store.ts'
import type { Mempool } from './mempool/mempool.ts'
import type { QueryResult } from './queries/index.ts'
import type { StateView } from './state/state.ts'
import type { TxResult } from './tx/context.ts'

/** The chain, as used by the network's servers. Hashes are upper-case hex. */
export interface Chain {
  readonly chainId: string
  /** The height of the first block under this chain id. */
  readonly initialHeight: number
  readonly validator: { address: string; pubKey: Uint8Array }
  readonly consensusParams: { maxBytes: bigint; maxGas: bigint }
  /** Height of the newest committed block; 0 before the first. */
  readonly height: number
  /** Height of the oldest block that is not pruned. Only the RPC server enforces this limit. */
  readonly base: number
  readonly mempool: Pick<Mempool, 'size' | 'list'>
  block(height: number): Block | undefined
  tx(hash: string): CommittedTx | undefined
  /**
   * Runs CheckTx and adds the transaction to the mempool if the code is 0.
   * @throws Error when a real node would return a JSON-RPC error: transaction cached or too large, mempool full
   */
  submitTx(bytes: Uint8Array): TxResult
  /** The newest committed state. Do not keep it across an await. */
  readonly state: StateView
  /** Runs an ABCI query. `height` 0 means the newest state. */
  query(path: string, data: Uint8Array, height: number): QueryResult
  /** Calls `listener` after each commit. @returns a function that removes the listener */
  onBlock(listener: (block: Block) => void): () => void
  /** Produces the first block and starts the block clock. */
  start(): void
  stop(): void
}
