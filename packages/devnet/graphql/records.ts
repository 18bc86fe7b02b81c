import type { DevnetNames } from '../brand.ts'
import type { LiquidityRecord } from '../modules/transfer/liquidity.ts'
import { amountsOf, type Progress, routeOf, type TransactionRecord } from '../modules/transfer/record.ts'

export type IndexRecord = Record<string, string | number>

/** Converts a transfer or swap to a row: lower-case names, counts and the id as numbers (interface 9.4, 9.12). */
export function transactionRow(record: TransactionRecord, names: DevnetNames): IndexRecord {
  return {
    ...progress(record),
    ...amountsOf(record),
    ...Object.fromEntries(Object.entries(routeOf(record)).map(([key, value]) => [key.toLowerCase(), value])),
    tx_id: record.id,
    [names.indexHashField]: record.txHash
  }
}

export function liquidityRow(record: LiquidityRecord, names: DevnetNames): IndexRecord {
  return {
    ...progress(record),
    amount: record.amount,
    creator: record.creator,
    chain: record.chain,
    providerchainaddress: record.providerChainAddress,
    symbol: record.symbol,
    tx_id: record.id,
    [names.indexHashField]: record.txHash
  }
}

function progress(record: Progress): IndexRecord {
  return {
    failreason: record.failReason,
    pullfailcount: record.pullFailCount,
    pullhash: record.pullHash,
    releasefailcount: record.releaseFailCount,
    releasehash: record.releaseHash,
    txstatus: record.status
  }
}
