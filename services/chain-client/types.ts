import type { Any } from 'cosmjs-types/google/protobuf/any'

/** One event of a block's results; keys and values are plain strings. */
export interface ChainEvent {
  type: string
  attributes: { key: string; value: string }[]
}

/** A transaction of a block with its result. */
export interface BlockTransaction {
  /** sha256 of the bytes, upper-case hex. */
  hash: string
  /** Encoded TxRaw, as in the block; of another wallet's transaction it may be anything. */
  bytes: Uint8Array
  code: number
  codespace: string
  /** Whole, as every `log` here: it is parsed. `shorten` cuts what is logged or stored. */
  log: string
  /** Encoded TxMsgData; empty when the transaction failed. */
  data: Uint8Array
  events: ChainEvent[]
  /** Any 64-bit number, or none: in another wallet's transaction it may not be a safe integer. */
  gasWanted: bigint | undefined
  gasUsed: bigint | undefined
}

/** A committed block and its results. Hashes are upper-case hex. */
export interface ChainBlock {
  chainId: string
  height: number
  hash: string
  /** The hash of the block before; undefined at height 1. */
  previousHash: string | undefined
  /** Of its header, in milliseconds since the epoch. */
  time: number
  /** Of the results: their code, data and gas. */
  resultsHash: string
  /** What the header says of the results of the block before. */
  lastResultsHash: string
  transactions: BlockTransaction[]
}

/** A block as one node of the pool has it. `node` is its name, for `ChainClient.distrust`. */
export interface NodeBlock extends ChainBlock {
  node: string
}

/** A block as the pool reads it. */
export interface PoolBlock extends NodeBlock {
  /** The same block as another node has it; left out when none has it in time (interface 19.20). */
  witness?: NodeBlock | undefined
  /** No other node has it, and one that goes on will: until then it may be made up, and decides nothing. */
  isAwaited?: boolean
}

/** `sequence` is the next one of the account, as of `height`. */
export interface AccountState {
  accountNumber: bigint
  sequence: number
  height: number
}

/** The address has another bech32 prefix than the chain's, which is the expected one. */
export interface ForeignPrefix {
  expectedPrefix: string
}

/** What a block may hold at most, header and commit included; undefined when unlimited. */
export interface BlockLimits {
  gas: number | undefined
  bytes: number | undefined
}

/** What a node is asked. One that cannot say a balance is still used for all the rest. */
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
  /** No usable answer. `late` when the node took too long, so that a smaller transaction may pass. */
  | { status: 'unavailable'; reason: string; late: boolean }

/** With the node that answered: two answers say something about each other only when one node gave both. */
export type PoolSimulation = SimulationAnswer & { node: string }

/** What a node reports of itself. */
export interface NodeStatus {
  chainId: string
  height: number
  /** The lowest block that the node still has. */
  earliestHeight: number
  /** The time in the header of its newest block, in milliseconds since the epoch. */
  blockTime: number
  /** The node still reads the blocks of the past. */
  catchingUp: boolean
}

/**
 * One RPC node. Every method ends within a bounded time. Texts are without the secrets of the node's URL. A method that
 * has no usable answer throws NodeUnavailableError, except `simulate` and `broadcast`, which never throw.
 */
export interface ChainNode {
  /** Host and port; never the whole URL, which may hold a key. */
  readonly host: string
  status(): Promise<NodeStatus>
  /**
   * The account as of the newest state, or as it was after the block at `height`, which a node may have deleted; undefined
   * when the chain does not know it.
   */
  account(address: string, height?: number): Promise<AccountState | ForeignPrefix | undefined>
  blockLimits(): Promise<BlockLimits>
  /** Base units of `denom`, as of the newest state. */
  balance(address: string, denom: string): Promise<bigint>
  simulate(simulation: Simulation): Promise<SimulationAnswer>
  broadcast(transaction: Uint8Array): Promise<BroadcastAnswer>
  /** The block with its results; undefined while there is none. @throws HistoryPrunedError when the node deleted it */
  block(height: number): Promise<ChainBlock | undefined>
  /** Calls back with the height soon after a new block. Calls may be missing. */
  onNewBlock(listener: (height: number) => void): void
  close(): Promise<void>
}

/** The state of one node, for operators. Times are in milliseconds. */
export interface NodeHealth {
  host: string
  /** Its newest block, and the age of that; undefined before its first answer. */
  height: number | undefined
  blockAgeMs: number | undefined
  /** The time between its last blocks; undefined until two are known. */
  blockIntervalMs: number | undefined
  /** How many blocks it is behind the newest block of the other nodes. */
  lag: number
  /** The lowest block that it still has. */
  earliestHeight: number
  /** Whether it can be used for reading, and for simulations and broadcasts. */
  reading: boolean
  sending: boolean
  /** Why it is passed over, without secrets. */
  fault?: string
}

/** An answer, and the name of the node that gave it. */
export interface Opinion<T> {
  node: string
  answer: T
}

/** What the nodes answered to one question. */
export interface Agreement<T> {
  /** Answers of two nodes that agree, or two of the only node that is configured; undefined where no two agree. */
  agreed: readonly [T, T] | undefined
  /** All answers, in order; none where no node has a usable one. */
  opinions: readonly Opinion<T>[]
}

/** A question to more than one node. */
export interface Inquiry<T> {
  question: Question
  /** Asks one node. @throws NodeUnavailableError */
  ask(node: ChainNode): Promise<T>
  /** Whether two answers say the same. */
  agree(one: T, other: T): boolean
  /** What a node has answered already; the others are asked first. */
  said?: Opinion<T> | undefined
}

/**
 * The chain as the submission engine uses it: a pool of RPC nodes. Reads go to the first healthy node of the configured
 * order, and to the next one when that fails, within the call. Simulations and broadcasts go to one node, because both
 * depend on its mempool. Where no node has a usable answer, NodeUnavailableError is thrown.
 */
export interface ChainClient {
  /** The chain id and height that a node reports. */
  status(): Promise<{ chainId: string; height: number }>
  /**
   * Asks until two different nodes agree. What one node alone reports is no reason to spend money, nor to store anything
   * for good (interface 19.18). Never throws.
   */
  agreement<T>(inquiry: Inquiry<T>): Promise<Agreement<T>>
  /** Base units of `denom`, as of the newest state. */
  balance(address: string, denom: string): Promise<bigint>
  /** What one node refuses is put to another, where there is one: what passes there is not refused. Never throws. */
  simulate(simulation: Simulation): Promise<PoolSimulation>
  /** Asks every node that answers at the same time, as each has a mempool of its own. Never throws. */
  simulateEverywhere(simulation: Simulation): Promise<(PoolSimulation & { isBehind: boolean })[]>
  /**
   * Asks one node once: only the caller knows whether a broadcast may be repeated. Never throws.
   * @param options.everywhere sends to the other healthy nodes too, whose answers are not awaited: the first may pass
   *   nothing on
   */
  broadcast(transaction: Uint8Array, options?: { everywhere?: boolean }): Promise<BroadcastAnswer>
  /** The block with its results; undefined while there is none. @throws HistoryPrunedError when no node has it any more */
  block(height: number): Promise<PoolBlock | undefined>
  /** Names the chain of the store: nodes that report another chain id are passed over from now on. */
  expectChain(chainId: string): void
  /**
   * Passes a node over for a while, for a reason that only the caller can see.
   * @param node the name from a block
   * @returns false when the node was passed over already, so that no other could answer
   */
  distrust(node: string, reason: string): boolean
  /** The nodes in the configured order. */
  health(): NodeHealth[]
  /** Calls back soon after a new block. Calls may be missing, so blocks must be polled as well. */
  onNewBlock(listener: () => void): void
  /** Calls back when simulations and broadcasts go to another node from now on. */
  onNodeChange(listener: () => void): void
  close(): Promise<void>
}
