import type { TxResult } from '../tx/results.ts'
import type { Header } from './header.ts'

/** A committed block. All hashes are upper-case hex. */
export interface Block extends Header {
  hash: string
  /** When the validator voted for it, RFC 3339: the time of the next block. */
  committedAt: string
  txs: CommittedTx[]
}

export interface CommittedTx {
  /** sha256 of `bytes`, upper-case hex. */
  hash: string
  height: number
  index: number
  bytes: Uint8Array
  result: TxResult
}
