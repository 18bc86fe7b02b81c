import type { DevnetNames } from '../brand.ts'
import type { LiquidityRecord } from '../modules/transfer/liquidity.ts'
import type { Progress, SwapRecord, TransferRecord } from '../modules/transfer/record.ts'

type RestRecord = Record<string, string>

/** Converts a transfer or swap to its REST format: camelCase names, string values (interface 9.4, 19.6). */
export function transactionJson(record: TransferRecord | SwapRecord, names: DevnetNames): RestRecord {
  return {
    index: String(record.id),
    creator: record.creator,
    originChain: record.originChain,
    originAddress: record.originAddress,
    originSymbol: record.originSymbol,
    targetChain: record.targetChain,
    targetAddress: record.targetAddress,
    targetSymbol: record.targetSymbol,
    ...amounts(record),
    ...progress(record),
    [names.txHashField]: record.txHash
  }
}

/** Converts a liquidity-pool transaction to its REST format. */
export function liquidityJson(record: LiquidityRecord, names: DevnetNames): RestRecord {
  const { id, creator, chain, providerChainAddress, symbol, amount, txHash } = record
  return {
    index: String(id),
    creator,
    chain,
    providerChainAddress,
    symbol,
    amount,
    ...progress(record),
    [names.txHashField]: txHash
  }
}

function amounts(record: TransferRecord | SwapRecord): RestRecord {
  if (record.kind === 'transfer') return { amount: record.amount }
  const { amountIn, amountOut, dex, slippage } = record
  return { amountIn, amountOut, dex, slippage }
}

function progress(record: Progress): RestRecord {
  return {
    status: record.status,
    tssPullHash: record.pullHash,
    tssReleaseHash: record.releaseHash,
    tssRefundHash: record.refundHash,
    failReason: record.failReason,
    pullFailCount: String(record.pullFailCount),
    releaseFailCount: String(record.releaseFailCount)
  }
}
