import type { ChainEvent } from '../events.ts'
import type { TxResult } from '../tx/results.ts'
import type { Header } from './header.ts'

/** A committed block. All hashes are upper-case hex. */
export interface Block extends Header {
  hash: string
  /** When the validator voted for it, RFC 3339: the time of the next block. */
  committedAt: string
  /** The application's state hash after this block, which the next header carries. */
  nextAppHash: string
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
