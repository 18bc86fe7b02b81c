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
  log: string
  /** Encoded TxMsgData; empty when the transaction failed. */
  data: Uint8Array
  events: ChainEvent[]
  /** Any 64-bit number: in another wallet's transaction it may not be a safe integer. */
  gasWanted: bigint
  gasUsed: bigint
}

/** A committed block and its results. Hashes are upper-case hex. */
export interface ChainBlock {
  chainId: string
  height: number
  hash: string
  /** The hash of the block before; undefined at height 1. */
  previousHash: string | undefined
  transactions: BlockTransaction[]
}

/** A block as the pool reads it. */
export interface PoolBlock extends ChainBlock {
  /** The name of the node that answered, for `ChainClient.distrust`. */
  node: string
}

export interface AccountState {
  accountNumber: bigint
  /** The next sequence number of the account, as of `height`. */
  sequence: number
  height: number
}

/** A node's answer to a broadcast. Each is only a hint: blocks decide. */
export type BroadcastAnswer =
  | { status: 'accepted' }
  /** The node already has these bytes in its cache. */
  | { status: 'known' }
  /** CheckTx refused. */
  | { status: 'refused'; code: number; codespace: string; log: string }
  /** No usable answer: time-out, reset, mempool full, unreadable. */
  | { status: 'unavailable'; reason: string }

export type SimulationAnswer =
  | { status: 'passed'; gasUsed: number }
  /** The application refused. `log` has the reason: nodes report one code for all errors of simulations. */
  | { status: 'failed'; code: number; codespace: string; log: string }
  /** No usable answer. `late` when the node took too long, so that a smaller transaction may pass. */
  | { status: 'unavailable'; reason: string; late: boolean }

/** A simulation as the pool asks for it. Two answers say something about each other only when one node gave both. */
export type PoolSimulation = SimulationAnswer & {
  /** The name of the node that answered. */
  node: string
}

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
 * has no usable answer throws NodeUnavailableError.
 */
export interface ChainNode {
  /** Host and port; never the whole URL, which may hold a key. */
  readonly host: string
  status(): Promise<NodeStatus>
  /** The account as of the newest state; undefined when the chain does not know it. */
  account(address: string): Promise<AccountState | undefined>
  /** The most gas a block may hold; undefined when unlimited. */
  blockGasLimit(): Promise<number | undefined>
  /** Base units of `denom`, as of the newest state. */
  balance(address: string, denom: string): Promise<bigint>
  /** Never throws. */
  simulate(transaction: Uint8Array): Promise<SimulationAnswer>
  /** Never throws. */
  broadcast(transaction: Uint8Array): Promise<BroadcastAnswer>
  /** The block with its results; undefined while there is none. @throws HistoryPrunedError when the node deleted it */
  block(height: number): Promise<ChainBlock | undefined>
  /** Calls back with the height soon after a new block. Calls may be missing. */
  onNewBlock(listener: (height: number) => void): void
  close(): Promise<void>
}

/** The state of one node, for operators. */
export interface NodeHealth {
  /** Host and port. */
  host: string
  /** Its newest block; undefined before its first answer. */
  height: number | undefined
  /** The age of its newest block, in milliseconds. */
  blockAgeMs: number | undefined
  /** The time between its last blocks, in milliseconds; undefined until two are known. */
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

/**
 * The chain as the submission engine uses it: a pool of RPC nodes. Reads go to the first healthy node of the configured
 * order, and to the next one when that fails, within the call. Simulations and broadcasts go to one node, because both
 * depend on its mempool.
 */
export interface ChainClient {
  /** The chain id and height that a node reports. @throws NodeUnavailableError */
  status(): Promise<{ chainId: string; height: number }>
  /** The account as of the newest state; undefined when the chain does not know it. @throws NodeUnavailableError */
  account(address: string): Promise<AccountState | undefined>
  /** The most gas a block may hold; undefined when unlimited. @throws NodeUnavailableError */
  blockGasLimit(): Promise<number | undefined>
  /** Base units of `denom`, as of the newest state. @throws NodeUnavailableError */
  balance(address: string, denom: string): Promise<bigint>
  /** @param options.elsewhere asks another healthy node than the last simulation, where there is one */
  simulate(transaction: Uint8Array, options?: { elsewhere?: boolean }): Promise<PoolSimulation>
  /**
   * Asks one node once: only the caller knows whether a broadcast may be repeated.
   * @param options.everywhere sends to the other healthy nodes too, whose answers are not awaited: the first may pass
   *   nothing on
   */
  broadcast(transaction: Uint8Array, options?: { everywhere?: boolean }): Promise<BroadcastAnswer>
  /**
   * The block at this height with its results; undefined while there is none.
   * @throws HistoryPrunedError when no node has it any more
   * @throws NodeUnavailableError
   */
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
