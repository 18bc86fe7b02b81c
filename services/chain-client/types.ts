import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { ChainBlock } from './node/chain-block.ts'

/** What a node can be asked. One that fails at one kind of question may still answer the others. */
export type Question = 'status' | 'account' | 'blockLimits' | 'balance' | 'block' | 'simulate' | 'broadcast'

/** A node's answer to a broadcast. Each is only a hint: blocks decide. */
export type BroadcastAnswer =
  | { status: 'accepted' }
  /** The node already has these bytes in its cache. */
  | { status: 'known' }
  /** CheckTx refused. */
  | { status: 'refused'; code: number; codespace: string; log: string }
  /** Time-out, reset, mempool full, unreadable. `answered` with a JSON-RPC error, which may be about these bytes. */
  | { status: 'unavailable'; reason: string; answered?: boolean }

/** A transaction of the wallet as it is simulated: without a fee and a signature. */
export interface Simulation {
  messages: readonly Any[]
  /** The wallet's compressed secp256k1 public key. */
  publicKey: Uint8Array
  sequence: number
}

export type SimulationAnswer =
  | { status: 'passed'; gasUsed: number }
  /** The application refused. `log` has the reason: nodes report one code for all errors of simulations. */
  | { status: 'failed'; code: number; codespace: string; log: string }
  /** `late` when the node exceeded its time limit, so that a smaller transaction may pass. */
  | { status: 'unavailable'; reason: string; late: boolean }

/** With the name of the node: two answers can only be compared when one node gave both. */
export type PoolSimulation = SimulationAnswer & { node: string }

/** A block as one node of the pool has it. `node` is its name, for `ChainClient.distrust`. */
export type NodeBlock = ChainBlock & { node: string }

/** A block as the pool reads it. */
export interface PoolBlock extends NodeBlock {
  /** The same block as another node has it; absent when none has it in time (interface 19.20). */
  witness?: NodeBlock | undefined
  /** Another node goes on and will have this height too. Until then the block may be made up, and decides nothing. */
  isAwaited?: boolean
}
