import type { DevnetNames } from '../brand.ts'
import type { DevnetLedger } from '../ledger.ts'
import { HasuraError } from './answer.ts'
import { type IndexRecord, liquidityRow, transactionRow } from './records.ts'

interface Arguments {
  where?: { tx_id?: { _eq?: string | null } | null } | null
  limit?: number | null
}

/** The root fields over the ledger as it stood `lag` blocks ago; without a filter they list all records. */
export function indexResolvers(ledger: DevnetLedger, names: DevnetNames, lag: number) {
  function resolver<R>(one: (id: number) => R | undefined, all: () => R[], row: (record: R) => IndexRecord) {
    return ({ where, limit }: Arguments): IndexRecord[] => {
      if (typeof limit === 'number' && limit < 0) throw new HasuraError('unexpected negative value', 'limit')
      const wanted = where?.tx_id?._eq
      if (wanted === null) throw new HasuraError("unexpected null value for type 'String'", 'where')
      const records =
        wanted === undefined ? all() : [one(recordId(wanted))].filter(found => found !== undefined)
      return records.slice(0, limit ?? undefined).map(row)
    }
  }

  return {
    transaction_data: resolver(
      id => ledger.transaction('transfer', id, lag),
      () => ledger.transactions('transfer', lag),
      record => transactionRow(record, names)
    ),
    swap_data: resolver(
      id => ledger.transaction('swap', id, lag),
      () => ledger.transactions('swap', lag),
      record => transactionRow(record, names)
    ),
    liquidity_transaction_data: resolver(ledger.liquidity, ledger.liquidities, record =>
      liquidityRow(record, names)
    )
  }
}

/** The id in a filter's text. Text that is not an id becomes 0, which no record has. */
function recordId(text: string): number {
  return /^[1-9]\d*$/.test(text) ? Number(text) : 0
}
