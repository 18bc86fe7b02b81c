import type { DevnetNames } from '../brand.ts'
import type { DevnetLedger } from '../ledger.ts'
import { type IndexRecord, liquidityRow, transactionRow } from './records.ts'

interface Arguments {
  where: { tx_id: { _eq?: string | null } }
  limit?: number | null
}

/** How many blocks the index is behind the chain. */
const LAG_BLOCKS = 1

/** The root fields over the ledger. */
export function indexResolvers(ledger: DevnetLedger, names: DevnetNames) {
  function resolver(find: (id: number) => IndexRecord | undefined) {
    return ({ where, limit }: Arguments): IndexRecord[] =>
      [find(Number(where.tx_id._eq ?? 0))].filter(row => row !== undefined).slice(0, limit ?? undefined)
  }

  const transactions = (kind: 'transfer' | 'swap') =>
    resolver(id => {
      const record = ledger.transaction(kind, id, LAG_BLOCKS)
      return record && transactionRow(record, names)
    })
  return {
    transaction_data: transactions('transfer'),
    swap_data: transactions('swap'),
    liquidity_transaction_data: resolver(id => {
      const record = ledger.liquidity(id)
      return record && liquidityRow(record, names)
    })
  }
}
