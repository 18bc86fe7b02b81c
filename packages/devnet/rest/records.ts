import type { DevnetNames } from '../brand.ts'
import type { LiquidityRecord } from '../modules/transfer/liquidity.ts'
import { amountsOf, type Progress, routeOf, type TransactionRecord } from '../modules/transfer/record.ts'

type RestRecord = Record<string, string>

/** Converts a transfer or swap to its REST format: camelCase names, string values (interface 9.4, 19.5). */
export function transactionJson(record: TransactionRecord, names: DevnetNames): RestRecord {
  return {
    index: String(record.id),
    ...routeOf(record),
    ...amountsOf(record),
    ...progress(record),
    [names.txHashField]: record.txHash
  }
}

export function liquidityJson(record: LiquidityRecord, names: DevnetNames): RestRecord {
  const { id, creator, chain, providerChainAddress, symbol, amount, txHash } = record
  const deposit = { index: String(id), creator, chain, providerChainAddress, symbol, amount }
  return { ...deposit, ...progress(record), [names.txHashField]: txHash }
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
