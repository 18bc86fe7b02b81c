import type { ChainEvent } from '../events.ts'
import type { TxResult } from '../tx/results.ts'

/** A committed block. All hashes are upper-case hex; `time` is RFC 3339. */
export interface Block {
  chainId: string
  height: number
  time: string
  hash: string
  lastBlockHash: string
  /** When the validator voted for it, RFC 3339: the time of the next block. */
  committedAt: string
  /** The application's state hash after the block before this one, as the header carries it. */
  appHash: string
  /** The application's state hash after this block, which the next header carries. */
  nextAppHash: string
  dataHash: string
  txs: CommittedTx[]
  beginBlockEvents: ChainEvent[]
  endBlockEvents: ChainEvent[]
}

export interface CommittedTx {
  /** sha256 of `bytes`, upper-case hex. */
  hash: string
  height: number
  index: number
  bytes: Uint8Array
  result: TxResult
}
