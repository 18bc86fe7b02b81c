import type { AminoMsg } from '@cosmjs/amino'

/** What the parts of the development chain say to each other. Amounts and gas are bigint, heights are numbers. */

export interface EventAttribute {
  key: string
  value: string
  index: boolean
}

/** An ABCI event as CometBFT 0.37 has it: attribute keys and values are plain strings. */
export interface ChainEvent {
  type: string
  attributes: EventAttribute[]
}

/** The outcome of executing a transaction in a block (DeliverTx). `data` is an encoded TxMsgData, empty on failure. */
export interface TxResult {
  code: number
  codespace: string
  data: Uint8Array
  log: string
  info: string
  gasWanted: bigint
  gasUsed: bigint
  events: ChainEvent[]
}

/** The outcome of CheckTx, as `broadcast_tx_sync` reports it. */
export interface CheckTxResult {
  code: number
  codespace: string
  log: string
  gasWanted: bigint
  gasUsed: bigint
  events: ChainEvent[]
}

export interface CommittedTx {
  /** sha256 of `bytes`, upper-case hex. */
  hash: string
  height: number
  index: number
  bytes: Uint8Array
  result: TxResult
}

/** A committed block. All hashes are upper-case hex; `time` is RFC 3339. */
export interface Block {
  height: number
  time: string
  hash: string
  lastBlockHash: string
  /** The application's state hash after the block before this one, as the header carries it. */
  appHash: string
  dataHash: string
  txs: CommittedTx[]
  beginBlockEvents: ChainEvent[]
  endBlockEvents: ChainEvent[]
}

/** The answer to an ABCI query. A failed query has a code, a codespace and a log, and an empty value. */
export interface QueryResult {
  code: number
  codespace: string
  log: string
  value: Uint8Array
  height: number
}

/** A transaction that the mempool did not take. Over RPC: JSON-RPC error -32603 with this message in `data`. */
export class MempoolError extends Error {
  override name = 'MempoolError'
}

/** A failure of the application, told apart by codespace and code as in the Cosmos SDK. */
export class AbciError extends Error {
  override name = 'AbciError'
  readonly codespace: string
  readonly code: number

  constructor(codespace: string, code: number, message: string) {
    super(message)
    this.codespace = codespace
    this.code = code
  }
}

export interface MempoolView {
  readonly size: number
  readonly bytes: number
  list(limit: number): Uint8Array[]
}

/** The chain as its RPC server sees it. */
export interface Chain {
  readonly chainId: string
  /** The genesis document as JSON, in the Cosmos SDK's shape. */
  readonly genesis: Record<string, unknown>
  readonly validator: { address: string; pubKey: Uint8Array; votingPower: bigint }
  readonly consensusParams: { maxBytes: bigint; maxGas: bigint }
  /** Height of the newest committed block; 0 before the first. */
  readonly height: number
  /** The application's state hash after the newest block, upper-case hex. */
  readonly appHash: string
  readonly mempool: MempoolView
  block(height: number): Block | undefined
  blockByHash(hash: string): Block | undefined
  tx(hash: string): CommittedTx | undefined
  /**
   * Runs CheckTx and, when its code is 0, puts the transaction into the mempool.
   * @throws MempoolError for what a node answers with a JSON-RPC error (cache, full, too large).
   */
  submitTx(bytes: Uint8Array): CheckTxResult
  /** The newest committed state, for the servers beside the RPC server. Never keep it across an await. */
  readonly state: StateView
  /** An ABCI query; `height` 0 means the newest state. */
  query(path: string, data: Uint8Array, height: number): QueryResult
  /** Calls back after each commit; the answer unsubscribes. */
  onBlock(listener: (block: Block) => void): () => void
  /** Makes the first block and starts the block clock. */
  start(): void
  stop(): void
}

/** State that can only be read. */
export type StateView = Pick<State, 'get' | 'keys'>

/**
 * The application's state as message handlers and queries see it: a flat key-value store of immutable values.
 * Reads and writes cost gas when the view belongs to a transaction.
 */
export interface State {
  get<T>(key: string): T | undefined
  set<T>(key: string, value: T): void
  delete(key: string): void
  /** Keys that start with `prefix`, in ascending order. */
  keys(prefix: string): string[]
}

/** What a message handler works with. Events emitted here are this message's own. */
export interface MessageContext {
  readonly state: State
  readonly height: number
  readonly time: string
  /** Upper-case hex hash of the transaction. */
  readonly txHash: string
  emit(type: string, attributes: Record<string, string>): void
}

/** A message type of a module. */
export interface MessageHandler<T = unknown> {
  typeUrl: string
  decode(value: Uint8Array): T
  /** Addresses that must have signed, in order. */
  signers(message: T): string[]
  /** Checks without state, as ValidateBasic does. @throws AbciError */
  validateBasic(message: T): void
  /** Executes the message. @returns the encoded response @throws AbciError: the whole transaction fails */
  execute(message: T, context: MessageContext): { typeUrl: string; value: Uint8Array }
  /** The module's name, for the event `message{action, sender, module}`. */
  module: string
  /** The message as Amino JSON signs it. Without this the message cannot be signed in SIGN_MODE_LEGACY_AMINO_JSON. */
  toAmino?(message: T): AminoMsg
}

/** Answers one gRPC query path from state. @throws AbciError */
export type QueryHandler = (request: Uint8Array, state: StateView, height: number) => Uint8Array

/** A module of the application: messages, and what it does at the end of each block. */
export interface ChainModule {
  handlers: MessageHandler[]
  /** Puts the module's genesis state. */
  initGenesis?(state: State, appState: Record<string, unknown>): void
  /** gRPC paths, such as `/cosmos.bank.v1beta1.Query/Balance`, and who answers them. */
  queries?: Record<string, QueryHandler>
  endBlock?(context: MessageContext): void
}
