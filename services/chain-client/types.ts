import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { ChainBlock } from './node/chain-block.ts'

/** Kinds of requests to a node. A node that fails at one kind might still serve the others. */
export type Question = 'status' | 'account' | 'blockLimits' | 'balance' | 'block' | 'simulate' | 'broadcast'

/** A node's response to a broadcast. Only a hint: the blocks are authoritative. */
export type BroadcastResult =
  | { status: 'accepted' }
  /** The node already has these bytes in its cache. */
  | { status: 'known' }
  /** CheckTx rejected the transaction. */
  | { status: 'refused'; code: number; codespace: string; log: string }
  /**
   * Timeout, reset connection, full mempool or unreadable response. `answered` means that the node returned a JSON-RPC
   * error. The transaction's bytes might have caused that error.
   */
  | { status: 'unavailable'; reason: string; answered?: boolean }

/** A transaction of the wallet to simulate, without a fee or signature. */
export interface Simulation {
  messages: readonly Any[]
  /** The wallet's compressed secp256k1 public key. */
  publicKey: Uint8Array
  sequence: number
}

export type SimulationResult =
  | { status: 'passed'; gasUsed: number }
  /** The application rejected the transaction. The reason is in `log`: nodes use one code for all simulation errors. */
  | { status: 'failed'; code: number; codespace: string; log: string }
  /** `late`: the node exceeded its time limit; a smaller transaction might pass. */
  | { status: 'unavailable'; reason: string; late: boolean }

/** Includes the name of the node: two responses are comparable only if they come from the same node. */
export type PoolSimulation = SimulationResult & { node: string }

/** A block from one node of the pool. `node` is the name of the node, for `ChainClient.distrust`. */
export type NodeBlock = ChainBlock & { node: string }

/** A block read through the pool. */
export interface PoolBlock extends NodeBlock {
  /** The block at the same height from another node; absent if no other node delivers it in time (interface 19.20). */
  witness?: NodeBlock | undefined
  /**
   * Whether another node is advancing and will reach this height. Until that node reaches it, do not trust the block,
   * which might be forged.
   */
  isAwaited?: boolean
}
