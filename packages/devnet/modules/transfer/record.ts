import type { LockTerms } from './lock-script.ts'

/** The fields that change after the request. Hashes and the fail reason are empty until set. */
export interface Progress {
  status:
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
  pullHash: string
  releaseHash: string
  refundHash: string
  failReason: string
  pullFailCount: number
  releaseFailCount: number
}

type Route = {
  creator: string
  originChain: string
  originAddress: string
  originSymbol: string
  targetChain: string
  targetAddress: string
  targetSymbol: string
}

type CommonRecord = Progress &
  Route & {
    id: number
    /** Hash of the transaction that contained the request, upper-case hex. */
    txHash: string
    /** Height of the block that executed the request. */
    createdAt: number
    /** The fee in whole origin tokens, which is pulled along with the amount. */
    fee: string
    /** The user's Permit2 signature from the options, if there is one. */
    permit2?: unknown
    /** The lock of bitcoins that is pulled. */
    lock?: LockTerms & { txid: string; vout: number }
  }

/** Amounts are decimal strings in whole tokens, as in the messages. */
export type Amounts =
  | { kind: 'transfer'; amount: string }
  | { kind: 'swap'; amountIn: string; amountOut: string; dex: string; slippage: string }

export type TransactionRecord = CommonRecord & Amounts

/** Copies the fields that messages, records and events share. */
export function routeOf(from: Route): Route {
  const { creator, originChain, originAddress, originSymbol, targetChain, targetAddress, targetSymbol } = from
  return { creator, originChain, originAddress, originSymbol, targetChain, targetAddress, targetSymbol }
}

/** Copies the fields that differ between transfers and swaps. */
export function amountsOf(record: Amounts): Record<string, string> {
  if (record.kind === 'transfer') return { amount: record.amount }
  const { amountIn, amountOut, dex, slippage } = record
  return { amountIn, amountOut, dex, slippage }
}

export const untouched: Progress = {
  status: 'Available',
  pullHash: '',
  releaseHash: '',
  refundHash: '',
  failReason: '',
  pullFailCount: 0,
  releaseFailCount: 0
}
