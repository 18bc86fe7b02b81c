import type { DevnetNames } from '../brand.ts'
import type { DevnetLedger } from '../ledger.ts'
import { type IndexRecord, liquidityRow, transactionRow } from './records.ts'

interface Arguments {
  where?: { tx_id?: { _eq?: string | null } | null } | null
  limit?: number | null
}

/** The root fields over the ledger as it stood `lag` blocks ago; without a filter they list all records. */
export function indexResolvers(ledger: DevnetLedger, names: DevnetNames, lag: number) {
  function resolver<R>(one: (id: number) => R | undefined, all: () => R[], row: (record: R) => IndexRecord) {
    return ({ where, limit }: Arguments): IndexRecord[] => {
      const id = where?.tx_id?._eq
      const records = id === undefined ? all() : [one(Number(id))].filter(found => found !== undefined)
      return records.slice(0, limit ?? undefined).map(row)
    }
  }

  const transactions = (kind: 'transfer' | 'swap') =>
    resolver(
      id => ledger.transaction(kind, id, lag),
      () => ledger.transactions(kind, lag),
      record => transactionRow(record, names)
    )
  return {
    transaction_data: transactions('transfer'),
    swap_data: transactions('swap'),
    liquidity_transaction_data: resolver(ledger.liquidity, ledger.liquidities, record =>
      liquidityRow(record, names)
    )
  }
}
