import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { ChainBlock } from './node/chain-block.ts'
import type { ChainNode } from './node/index.ts'

/** What a node can be asked. One that fails at one kind of question may still answer the others. */
export type Question = 'status' | 'account' | 'blockLimits' | 'balance' | 'block' | 'simulate' | 'broadcast'

/** What a node reports about itself. */
export interface NodeStatus {
  chainId: string
  height: number
  /** The lowest block that the node still has. */
  earliestHeight: number
  /** The time in the header of its newest block, in milliseconds since the epoch. */
  blockTime: number
  /** The node is still reading old blocks. */
  catchingUp: boolean
}

/** `sequence` is the next one of the account, as of `height`. */
export interface AccountState {
  accountNumber: bigint
  sequence: number
  height: number
}

/** The bech32 prefix of the address is not the chain's, which is the expected one. */
export interface ForeignPrefix {
  expectedPrefix: string
}

/** The limits of a block, header and commit included; undefined when unlimited. */
export interface BlockLimits {
  gas: number | undefined
  bytes: number | undefined
}

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

/** An answer, and the name of the node that gave it. */
export interface Opinion<T> {
  node: string
  answer: T
}

/** The nodes' answers to one question. */
export interface Agreement<T> {
  /** Answers of two nodes that agree, or two of the only configured node; undefined where no two agree. */
  agreed: readonly [T, T] | undefined
  /** All answers, in order. */
  opinions: readonly Opinion<T>[]
}

/** A question to more than one node. */
export interface Inquiry<T> {
  question: Question
  /** Asks one node. @throws NodeUnavailableError */
  ask(node: ChainNode): Promise<T>
  agree(one: T, other: T): boolean
  /** An answer that a node has given already; the others are asked first. */
  said?: Opinion<T> | undefined
}
