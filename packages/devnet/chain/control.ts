import type { Block } from './blocks/block.ts'
import type { LaggingNode } from './lagging-node.ts'
import type { SubmitFault } from './mempool/faulty-submit.ts'
import type { State, StateView } from './state/state.ts'
import type { MessageFault } from './tx/message-faults.ts'

/** Controls of a chain for tests and tools. */
export interface ChainControl {
  /** Produces one block from the mempool immediately, independent of the clock. */
  produceBlock(): Block
  /** Stops the block clock; the mempool still accepts transactions. */
  pause(): void
  /** Starts the block clock again. */
  resume(): void
  /** Acts like a restarted node: the mempool and its cache are empty, and CheckTx runs as if at height 0 until a block. */
  restart(): void
  /** Sets a fault for the next `times` submitted transactions. */
  failSubmissions(fault: SubmitFault, times: number): void
  /** Makes the next `times` messages fail although they are valid. */
  failMessages(fault: MessageFault, times: number): void
  setMempoolSize(size: number): void
  setMaxBlockGas(gas: bigint): void
  /** The minimum gas price for CheckTx, a decimal. @throws Error for anything else */
  setMinGasPrice(price: string): void
  /** Makes the node's RPC server act as if the blocks below `height` were gone. The newest block stays. */
  prune(height: number): void
  /**
   * Restarts the chain under another chain id with its current state, as from an exported genesis with a continuing
   * `initial_height`: the mempool is empty, and the first block has no predecessor. The older blocks belong to the old
   * chain. Lagging nodes stay on the old chain.
   */
  upgrade(chainId: string): void
  /** Changes the committed state between two blocks, and the mempool's check state. */
  editState(change: (state: State) => void): void
  /** The mempool's check state, which includes the account changes of the waiting transactions. */
  readonly pendingState: StateView
  /** A second node that is `lag` blocks behind this one. */
  createLaggingNode(lag: number): LaggingNode
}
