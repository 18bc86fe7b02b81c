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

/** The fields that change after the request. Hashes and the fail reason are empty until set. */
export interface Progress {
  status: TransactionStatus
  pullHash: string
  releaseHash: string
  refundHash: string
  failReason: string
  pullFailCount: number
  releaseFailCount: number
}

/** The origin and target of a request. */
export type Route = {
  creator: string
  originChain: string
  originAddress: string
  originSymbol: string
  targetChain: string
  targetAddress: string
  targetSymbol: string
}

/** The fields that a transfer and a swap share. */
type RecordBase = Progress &
  Route & {
    id: number
    /** Hash of the transaction that contained the request, upper-case hex. */
    txHash: string
    /** Height of the block that executed the request. */
    createdAt: number
  }

/** A transfer record. Amounts are decimal strings in whole tokens, as in the messages. */
export type TransferRecord = RecordBase & {
  kind: 'transfer'
  amount: string
}

export type SwapRecord = RecordBase & {
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
