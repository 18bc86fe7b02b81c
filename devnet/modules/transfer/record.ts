export type TransactionStatus =
  | 'Available'
  | 'Pull_Confirmed'
  | 'Pulled'
  | 'Paid'
  | 'Completed'
  | 'FailedToPull'
  | 'FailedToPay'
  | 'UnAvailable'
  | 'RefundStart'
  | 'RefundCompleted'
  | 'RefundFailed'
  | 'DeclinedInvalid'

/** What moves while a transaction goes its way. Hashes and the reason are empty until there is one. */
export interface Progress {
  status: TransactionStatus
  pullHash: string
  releaseHash: string
  refundHash: string
  failReason: string
  pullFailCount: number
  releaseFailCount: number
}

/** What a regular transfer and a swap have in common, amounts apart. */
interface RecordBase extends Progress {
  id: number
  creator: string
  originChain: string
  originAddress: string
  originSymbol: string
  targetChain: string
  targetAddress: string
  targetSymbol: string
  /** Hash of the chain's transaction that carried the request, upper-case hex. */
  txHash: string
  /** Height of the block that took the request. */
  createdAt: number
}

/** Amounts are decimal strings in whole tokens, as the messages have them. */
export interface TransferRecord extends RecordBase {
  kind: 'transfer'
  amount: string
}

export interface SwapRecord extends RecordBase {
  kind: 'swap'
  amountIn: string
  amountOut: string
  dex: string
  slippage: string
}

export type TransactionRecord = TransferRecord | SwapRecord

export const untouched: Progress = {
  status: 'Available',
  pullHash: '',
  releaseHash: '',
  refundHash: '',
  failReason: '',
  pullFailCount: 0,
  releaseFailCount: 0
}
