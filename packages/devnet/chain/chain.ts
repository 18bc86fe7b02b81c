import type { Block, CommittedTx } from './blocks/block-store.ts'
import type { MempoolView } from './mempool/mempool.ts'
import type { QueryResult } from './queries/index.ts'
import type { StateView } from './state/state.ts'
import type { TxResult } from './tx/results.ts'
import type { Validator } from './validator.ts'

/** Block limits. -1 means no limit. */
export interface ConsensusParams {
  maxBytes: bigint
  maxGas: bigint
}

/** The chain, as used by the network's servers. Amounts and gas are bigint, heights are numbers. */
export interface Chain {
  readonly chainId: string
  /** The height of the first block under this chain id. */
  readonly initialHeight: number
  readonly validator: Validator
  readonly consensusParams: ConsensusParams
  /** Height of the newest committed block; 0 before the first. */
  readonly height: number
  /**
   * Height of the oldest block that is not pruned. Only the RPC server enforces this limit: tests in the same process
   * can read older blocks.
   */
  readonly base: number
  /** The application's state hash after the newest block, upper-case hex. */
  readonly appHash: string
  readonly mempool: MempoolView
  block(height: number): Block | undefined
  tx(hash: string): CommittedTx | undefined
  /**
   * Runs CheckTx and adds the transaction to the mempool if the code is 0.
   * @throws MempoolError when a real node would return a JSON-RPC error: transaction cached or too large, mempool full
   */
  submitTx(bytes: Uint8Array): TxResult
  /** The newest committed state, for servers other than the RPC server. Do not keep it across an await. */
  readonly state: StateView
  /** Runs an ABCI query. `height` 0 means the newest state. */
  query(path: string, data: Uint8Array, height: number): QueryResult
  /** Calls `listener` after each commit. @returns a function that removes the listener */
  onBlock(listener: (block: Block) => void): () => void
  /** Produces the first block and starts the block clock. */
  start(): void
  stop(): void
}
