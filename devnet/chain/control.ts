import type { Block } from './blocks/block.ts'
import type { LaggingNode } from './lagging-node.ts'
import type { SubmitFault } from './mempool/faulty-submit.ts'
import type { State, StateView } from './state/state.ts'
import type { MessageFault } from './tx/message-faults.ts'

/** What tests and tools do to a chain beside using it. */
export interface ChainControl {
  /** Makes one block of what the mempool holds now, whatever the clock says. */
  produceBlock(): Block
  /** Stops the block clock; the mempool still takes transactions. */
  pause(): void
  /** Starts the block clock again. */
  resume(): void
  /** Changes the period of the block clock, in milliseconds. */
  setBlockTime(ms: number): void
  /** Puts a transaction at the head of the next block, past the mempool and its checks. */
  includeNext(bytes: Uint8Array): void
  /**
   * Takes a waiting transaction out of the mempool and its cache, and checks the rest again, so that what followed
   * it is lost as well.
   * @returns false when no such transaction waits
   */
  evict(hash: string): boolean
  /** As a node that was started again: nothing waits, no hash is known. */
  restart(): void
  /** What happens to the next so many transactions that the mempool would take. */
  failSubmissions(fault: SubmitFault, times: number): void
  /** Makes messages fail although they are in order. */
  failMessages(fault: MessageFault, times: number): void
  setMempoolSize(size: number): void
  setMaxBlockGas(gas: bigint): void
  /** The least that a unit of gas costs for CheckTx, a decimal. @throws Error for anything else */
  setMinGasPrice(price: string): void
  /** Changes the state between two blocks, for the mempool's checks as well. */
  editState(change: (state: State) => void): void
  /** The state that the mempool checks against: with what the waiting transactions do to accounts. */
  readonly pendingState: StateView
  /** A second node that is `lag` blocks behind this one. */
  createLaggingNode(lag: number): LaggingNode
}
