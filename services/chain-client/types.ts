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
  | { status: 'unavailable'; reason: string }

/** The chain as the submission engine uses it: CometBFT RPC of one node at a time. */
export interface ChainClient {
  /** The chain id and height that the node reports. @throws NodeUnavailableError */
  status(): Promise<{ chainId: string; height: number }>
  /** The account as of the newest state; undefined when the chain does not know it. @throws NodeUnavailableError */
  account(address: string): Promise<AccountState | undefined>
  /** The most gas a block may hold; undefined when unlimited. @throws NodeUnavailableError */
  blockGasLimit(): Promise<number | undefined>
  simulate(transaction: Uint8Array): Promise<SimulationAnswer>
  broadcast(transaction: Uint8Array): Promise<BroadcastAnswer>
  /** The block at this height with its results; undefined while there is none. @throws NodeUnavailableError */
  block(height: number): Promise<ChainBlock | undefined>
  /** Calls back soon after a new block. Calls may be missing, so blocks must be polled as well. */
  onNewBlock(listener: () => void): void
  /** Calls back when requests go to another node from now on, because a request to the previous one failed. */
  onNodeChange(listener: () => void): void
  close(): Promise<void>
}
