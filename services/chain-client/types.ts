import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { ChainBlock } from './node/chain-block.ts'

/** The kinds of request to a node. A node that fails one kind may still serve the others. */
export type Question = 'status' | 'account' | 'blockLimits' | 'balance' | 'block' | 'simulate' | 'broadcast'

/** A node's response to a broadcast. Only a hint: blocks decide. */
export type BroadcastResult =
  | { status: 'accepted' }
  /** The node already has these bytes in its cache. */
  | { status: 'known' }
  /** CheckTx refused. */
  | { status: 'refused'; code: number; codespace: string; log: string }
  /** Time-out, reset, mempool full, unreadable. `answered` with a JSON-RPC error, which may be about these bytes. */
  | { status: 'unavailable'; reason: string; answered?: boolean }

/** A transaction of the wallet to simulate, without fee and signature. */
export interface Simulation {
  messages: readonly Any[]
  /** The wallet's compressed secp256k1 public key. */
  publicKey: Uint8Array
  sequence: number
}

export type SimulationResult =
  | { status: 'passed'; gasUsed: number }
  /** The application refused. The reason is in `log`: nodes use one code for all simulation errors. */
  | { status: 'failed'; code: number; codespace: string; log: string }
  /** `late`: the node exceeded its time limit, so a smaller transaction may pass. */
  | { status: 'unavailable'; reason: string; late: boolean }

/** Includes the node's name: two responses are comparable only if they come from the same node. */
export type PoolSimulation = SimulationResult & { node: string }

/** A block from one node of the pool. `node` is that node's name, for `ChainClient.distrust`. */
export type NodeBlock = ChainBlock & { node: string }

/** A block read through the pool. */
export interface PoolBlock extends NodeBlock {
  /** The block at the same height from another node; absent if none delivers it in time (interface 19.20). */
  witness?: NodeBlock | undefined
  /** Another node is advancing and will reach this height. Until then, do not trust the block: it may be forged. */
  isAwaited?: boolean
}
