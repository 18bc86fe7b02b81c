import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { ChainBlock } from './node/chain-block.ts'

/** Kinds of requests to a node. A node that fails at one kind might still serve the others. */
export type Question = 'status' | 'account' | 'blockLimits' | 'balance' | 'block' | 'simulate' | 'broadcast'

/** A node's response to a broadcast. Only a hint: blocks decide. */
export type BroadcastResult =
  | { status: 'accepted' }
  | { status: 'known' }
  | { status: 'refused'; code: number; codespace: string; log: string }
  /** `answered`: the node returned a JSON-RPC error, which the bytes might have caused. */
  | { status: 'unavailable'; reason: string; answered?: boolean }

export interface Simulation {
  messages: readonly Any[]
  /** Compressed secp256k1 key. */
  publicKey: Uint8Array
  sequence: number
}

export type SimulationResult =
  | { status: 'passed'; gasUsed: number }
  /** The reason is only in `log`: nodes use one code for all simulation errors. */
  | { status: 'failed'; code: number; codespace: string; log: string }
  /** `late`: the node exceeded its time limit; a smaller transaction might pass. */
  | { status: 'unavailable'; reason: string; late: boolean }

/** Responses of different nodes are not comparable. */
export type PoolSimulation = SimulationResult & { node: string }

/** `node` is the node's name, as `ChainClient.distrust` expects it. */
export type NodeBlock = ChainBlock & { node: string }

export interface PoolBlock extends NodeBlock {
  /** The same block from another node; absent if no other node delivers it in time (interface 19.20). */
  witness?: NodeBlock | undefined
  /** Whether another node will soon reach this height. Until it does, the block might be forged. */
  isAwaited?: boolean
}
