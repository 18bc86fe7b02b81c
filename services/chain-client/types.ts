/** One event of a block's results; keys and values are plain strings. */
export interface ChainEvent {
  type: string
  attributes: { key: string; value: string }[]
}

/** A transaction of a block with its result. */
export interface BlockTransaction {
  /** sha256 of the bytes, upper-case hex. */
  hash: string
  code: number
  codespace: string
  log: string
  /** Encoded TxMsgData; empty when the transaction failed. */
  data: Uint8Array
  events: ChainEvent[]
  /** Any 64-bit number: of another wallet's transaction these may be beyond a safe integer. */
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

/** What a node said to a broadcast. Every one of these is a hint: only a block decides. */
export type BroadcastAnswer =
  | { status: 'accepted' }
  /** The node has these bytes in its cache already. */
  | { status: 'known' }
  /** CheckTx refused. */
  | { status: 'refused'; code: number; codespace: string; log: string }
  /** Nothing reliable is known: time-out, reset, mempool full, garbage. */
  | { status: 'unavailable'; reason: string }

export type SimulationAnswer =
  | { status: 'passed'; gasUsed: number }
  /** The application refused; `log` is its text, codes are not told apart by a node's answer to a simulation. */
  | { status: 'failed'; code: number; codespace: string; log: string }
  | { status: 'unavailable'; reason: string }

/** The chain as the submission engine sees it: CometBFT RPC over one node at a time. */
export interface ChainClient {
  /** The node's own word on the chain it follows. @throws NodeUnavailableError */
  status(): Promise<{ chainId: string; height: number }>
  /** The account as of the newest state; undefined when the chain does not know it. @throws NodeUnavailableError */
  account(address: string): Promise<AccountState | undefined>
  /** The most gas a block may hold; undefined when unlimited. @throws NodeUnavailableError */
  blockGasLimit(): Promise<number | undefined>
  simulate(transaction: Uint8Array): Promise<SimulationAnswer>
  broadcast(transaction: Uint8Array): Promise<BroadcastAnswer>
  /** The block at this height with its results; undefined while there is none. @throws NodeUnavailableError */
  block(height: number): Promise<ChainBlock | undefined>
  /** Calls back soon after a block was committed, as long as the node tells; never to be relied upon. */
  onNewBlock(listener: () => void): void
  /** Calls back when another node is asked from now on, because the one before failed. */
  onNodeChange(listener: () => void): void
  close(): Promise<void>
}
