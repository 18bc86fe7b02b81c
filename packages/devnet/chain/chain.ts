import type { Block, CommittedTx } from './blocks/block-store.ts'
import type { MempoolView } from './mempool/mempool.ts'
import type { QueryResult } from './queries/index.ts'
import type { StateView } from './state/state.ts'
import type { TxResult } from './tx/results.ts'
import type { Validator } from './validator.ts'

/** Limits of a block; -1 means no limit. */
export interface ConsensusParams {
  maxBytes: bigint
  maxGas: bigint
}

/** The chain as its servers see it. Amounts and gas are bigint, heights are numbers. */
export interface Chain {
  readonly chainId: string
  /** The height of the first block under this chain id. */
  readonly initialHeight: number
  readonly validator: Validator
  readonly consensusParams: ConsensusParams
  /** Height of the newest committed block; 0 before the first. */
  readonly height: number
  /**
   * Height of the oldest block that the node has. Only the RPC server enforces it: tests in the same process can read older
   * blocks too.
   */
  readonly base: number
  /** The application's state hash after the newest block, upper-case hex. */
  readonly appHash: string
  readonly mempool: MempoolView
  block(height: number): Block | undefined
  tx(hash: string): CommittedTx | undefined
  /**
   * Runs CheckTx and, when its code is 0, puts the transaction into the mempool.
   * @throws MempoolError when a node would return a JSON-RPC error (cache, full, too large).
   */
  submitTx(bytes: Uint8Array): TxResult
  /** The newest committed state, for servers other than the RPC server. Never keep it across an await. */
  readonly state: StateView
  /** An ABCI query; `height` 0 means the newest state. */
  query(path: string, data: Uint8Array, height: number): QueryResult
  /** Calls `listener` after each commit. @returns a function that unsubscribes it */
  onBlock(listener: (block: Block) => void): () => void
  /** Produces the first block and starts the block clock. */
  start(): void
  stop(): void
}
