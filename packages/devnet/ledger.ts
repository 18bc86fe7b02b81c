import type { Chain } from './chain/index.ts'
import { getRecord } from './modules/transfer/keeper.ts'
import { recordAt } from './modules/transfer/lifecycle.ts'
import type { LiquidityRecord } from './modules/transfer/liquidity.ts'
import { listLocks } from './modules/transfer/locks.ts'
import type { TransactionRecord } from './modules/transfer/record.ts'
import type { Settlement } from './modules/transfer/settlement.ts'
import { type PoolBalance, poolBalances } from './registry/pools.ts'

type Kind = TransactionRecord['kind']

export type DevnetLedger = ReturnType<typeof createLedger>

/** Creates read access to the transaction records, for the APIs outside the chain. */
export function createLedger(
  chain: Pick<Chain, 'height' | 'state'>,
  liquidity: LiquidityRecord[],
  settlement: Settlement,
  balances: (() => Promise<PoolBalance[]>) | undefined
) {
  return {
    /** Returns a transfer or swap as of `lag` blocks before the newest block. */
    transaction(kind: Kind, id: number, lag: number): TransactionRecord | undefined {
      const height = chain.height - lag
      const record = getRecord(chain.state, id)
      return record?.kind === kind && record.createdAt <= height
        ? (settlement.recordAt(record, height) ?? recordAt(record, height))
        : undefined
    },
    poolBalances: async (): Promise<PoolBalance[]> => (await balances?.()) ?? poolBalances,
    locks: () => listLocks(chain.state),
    liquidity: (id: number) => liquidity.find(record => record.id === id)
  }
}
