import type { DevnetNames } from '../brand.ts'
import type { LiquidityRecord } from '../modules/transfer/liquidity.ts'
import type { TransactionRecord } from '../modules/transfer/record.ts'

export type IndexRecord = Record<string, unknown>

/** Converts a record to a row: lower-case names except those of a swap's amounts (interface 9.4, 9.12). */
export function rowOf(record: TransactionRecord | LiquidityRecord, names: DevnetNames): IndexRecord {
  const { id: tx_id, status: txstatus, txHash } = record
  const lower = Object.entries(record).map(([name, value]) => [name.toLowerCase(), value])
  return { ...record, ...Object.fromEntries(lower), tx_id, txstatus, [names.indexHashField]: txHash }
}
