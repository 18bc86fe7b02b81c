import type { Any } from 'cosmjs-types/google/protobuf/any'

/** Kinds of requests to a node. A node that fails at one kind might still serve the others. */
export type Question =
  | 'status'
  | 'account'
  | 'blockLimits'
  | 'balance'
  | 'prices'
  | 'block'
  | 'simulate'
  | 'broadcast'

/** A node's response to a broadcast. Only a hint: blocks decide. */
export type BroadcastResult =
  | { status: 'accepted' }
  | { status: 'known' }
  | { status: 'refused'; code: number; codespace: string; log: string }
  | { status: 'unavailable'; reason: string }

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
  /** `timedOut`: the node exceeded its time limit; a smaller transaction might pass. */
  | { status: 'unavailable'; reason: string; timedOut: boolean }

/** Responses of different nodes are not comparable. */
export type PoolSimulation = SimulationResult & { node: string }

export interface ChainEvent {
  type: string
  attributes: { key: string; value: string }[]
}

/** A transaction with its result. Gas is any 64-bit number: other wallets' can exceed the safe integer range. */
export interface BlockTransaction {
  /** SHA-256 of `bytes`, in upper-case hex. */
  hash: string
  /** Encoded TxRaw. A transaction of another wallet can be arbitrary bytes. */
  bytes: Uint8Array
  /** 0 if the transaction succeeded. */
  code: number
  codespace: string
  /** In full, because it is parsed. `shorten` truncates logs before they are logged or stored. */
  log: string
  /** Encoded TxMsgData; empty when the transaction failed. */
  data: Uint8Array
  events: ChainEvent[]
  gasWanted: bigint | undefined
  gasUsed: bigint | undefined
}

/** A committed block and its results, which its hashes confirm. Hashes are upper-case hex. */
export interface ChainBlock {
  chainId: string
  height: number
  hash: string
  /** Undefined at height 1. */
  previousHash: string | undefined
  /** In milliseconds since the epoch. */
  time: number
  resultsHash: string
  /** The hash of the previous block's results. */
  lastResultsHash: string
  transactions: BlockTransaction[]
}

/** `node` is the node's name, as `ChainClient.quarantine` expects it. */
export type NodeBlock = ChainBlock & { node: string }

export interface PoolBlock extends NodeBlock {
  /** The same block from another node; absent if no other node delivers it in time (interface 19.18). */
  second?: NodeBlock | undefined
  /** Whether another node is expected to reach this height. Until it does, the block might be forged. */
  isAwaited?: boolean
}

/** `sequence` is the next one at `height`. */
export interface AccountState {
  accountNumber: bigint
  sequence: number
  height: number
}

/** The chain's bech32 prefix, if the address has a different one. */
export interface ForeignPrefix {
  expectedPrefix: string
}

/** The account has a type that cannot be read. */
export interface UnsupportedAccount {
  typeUrl: string
}

/** Undefined if the chain has no such account. */
export type AccountReport = AccountState | ForeignPrefix | UnsupportedAccount | undefined

/** The gas prices that a node requires; none if it does not report them. */
export interface RequiredPrices {
  /** In base units, as decimal strings. */
  prices: { denom: string; amount: string }[]
  /** Whether the node refuses all other denominations. */
  areAll: boolean
}

export interface NodeStatus {
  chainId: string
  /** The newest block. */
  height: number
  /** The oldest block that the node still has. */
  earliestHeight: number
  /** Of the newest block, in milliseconds since the epoch. */
  blockTime: number
  catchingUp: boolean
}

/**
 * One RPC node. Every method finishes within a bounded time, and throws NodeUnavailableError if there is no usable
 * response. Errors never contain secrets from the node's URL.
 */
export interface ChainNode {
  /** Host and port. The whole URL can contain a key. */
  host: string
  status(): Promise<NodeStatus>
  /** Reads the account at the newest state, or after block `height`. */
  account(address: string, height?: number): Promise<AccountReport>
  /** Gas and bytes of a block, the latter with header and commit; undefined if there is no limit. */
  blockLimits(): Promise<{ gas: number | undefined; bytes: number | undefined }>
  /** Reads a balance in base units, at the newest state. */
  balance(address: string, denom: string): Promise<bigint>
  requiredPrices(): Promise<RequiredPrices>
  /** Never throws. */
  simulate(simulation: Simulation): Promise<SimulationResult>
  /** Never throws. */
  broadcast(transaction: Uint8Array): Promise<BroadcastResult>
  /** Returns undefined if the block does not exist yet. @throws HistoryPrunedError */
  block(height: number): Promise<ChainBlock | undefined>
  /** Supports a single listener, and might not report every block. */
  onNewBlock(listener: (height: number) => void): void
  close(): Promise<void>
}

export interface NodeResponse<T> {
  node: string
  answer: T
}

export interface Quorum<T> {
  /** Two matching responses, from two nodes or from the only configured node; undefined if there are none. */
  agreed: readonly [T, T] | undefined
  isByTwo: boolean
  /** The earlier response, if there is one, and then the others as they arrived. */
  responses: readonly NodeResponse<T>[]
}

export interface CrossCheck<T> {
  question: Question
  /** @throws NodeUnavailableError */
  ask(node: ChainNode): Promise<T>
  agree(one: T, other: T): boolean
  /** A node's earlier response. The other nodes are tried first. */
  earlier?: NodeResponse<T> | undefined
}

/** A node's state for operators. */
export interface NodeHealth {
  host: string
  /** The newest block; undefined before the first response. */
  height: number | undefined
  blockAgeMs: number | undefined
  /** Undefined until two blocks are known. */
  blockIntervalMs: number | undefined
  earliestHeight: number
  /** Whether reads use the node. */
  reading: boolean
  /** Whether simulations and broadcasts use the node. */
  sending: boolean
  /** Why the node is skipped. Contains no secrets. */
  fault?: string
}

/** Called after every request. `result` is the status of a simulation or broadcast, or whether the node responded. */
export type NodeObserver = (node: string, request: Question, result: string, seconds: number) => void

/**
 * The chain as the engine uses it. Reads try the healthy nodes one after another. Simulations and broadcasts go to the
 * same node, because both depend on its mempool.
 */
export interface ChainClient {
  /** @throws NodeUnavailableError */
  status(): Promise<{ chainId: string; height: number }>
  /**
   * Returns the block with its results, and a second node's version of it (interface 19.18); undefined if no node has
   * the block yet.
   * @throws HistoryPrunedError, NodeUnavailableError
   */
  block(height: number): Promise<PoolBlock | undefined>
  /** Reads a balance in base units of `denom`. @throws NodeUnavailableError */
  balance(address: string, denom: string): Promise<bigint>
  /**
   * Sends requests until two nodes agree: one node's response does not justify spending money or storing anything
   * permanently (interface 19.18). Never throws.
   */
  crossCheck<T>(check: CrossCheck<T>): Promise<Quorum<T>>
  /**
   * Simulates a transaction. A refusal counts unless the transaction passes on another node or that node times out.
   * Never throws.
   */
  simulate(simulation: Simulation): Promise<PoolSimulation>
  /** Simulates on the usable nodes and those that are behind, because each node has its own mempool. Never throws. */
  simulateEverywhere(simulation: Simulation): Promise<(PoolSimulation & { isBehind: boolean })[]>
  /**
   * Sends to one node without retrying: only the caller can decide whether a broadcast may be repeated. Never throws.
   * @param options.everywhere also sends to the other nodes, because the first node might not relay the transaction
   */
  broadcast(transaction: Uint8Array, options?: { everywhere?: boolean }): Promise<BroadcastResult>
  /** Skips nodes on other chains from now on. */
  expectChain(chainId: string): void
  /**
   * Skips a node for a while, for a reason that only the caller can detect.
   * @returns false if it was already quarantined, and used only because no other node was available
   */
  quarantine(name: string, reason: string): boolean
  health(): NodeHealth[]
  /** The listener might not be called for every block, so callers must also poll. */
  onNewBlock(listener: () => void): void
  /** Called when simulations and broadcasts go to another node. */
  onNodeChange(listener: () => void): void
  close(): Promise<void>
}
