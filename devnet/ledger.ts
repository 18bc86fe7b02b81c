import type { Chain } from './chain/chain.ts'
import type { LiquidityRecord } from './modules/transfer/liquidity.ts'
import type { TransactionRecord } from './modules/transfer/record.ts'
import type { RecordBook } from './modules/transfer/record-book.ts'

type Kind = TransactionRecord['kind']

/** The transaction records for readers outside of the chain: those of committed blocks only. */
export interface DevnetLedger {
  /** One transfer or swap as it was `lag` blocks before the newest block. */
  transaction(kind: Kind, id: number, lag: number): TransactionRecord | undefined
  /** All transfers or swaps, in the order of their ids. */
  transactions(kind: Kind, lag: number): TransactionRecord[]
  liquidity(id: number): LiquidityRecord | undefined
  liquidities(): LiquidityRecord[]
}

export function createLedger(
  chain: Pick<Chain, 'height'>,
  records: RecordBook,
  liquidity: LiquidityRecord[]
): DevnetLedger {
  return {
    transaction(kind, id, lag) {
      const record = records.find(id, chain.height - lag)
      return record?.kind === kind ? record : undefined
    },
    transactions: (kind, lag) => records.list(chain.height - lag).filter(record => record.kind === kind),
    liquidity: id => liquidity.find(record => record.id === id),
    liquidities: () => liquidity
  }
}
