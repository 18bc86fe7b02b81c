import { railHash } from './rail-hash.ts'
import { type Progress, untouched } from './record.ts'

/** A deposit into the pool of a chain by its provider. */
export interface LiquidityRecord extends Progress {
  id: number
  creator: string
  chain: string
  providerChainAddress: string
  symbol: string
  /** Decimal string in whole tokens. */
  amount: string
  txHash: string
}

/**
 * The liquidity-pool transactions of the development network. They are fixed: the back end only looks them up, and
 * providers submit them elsewhere.
 * @param creator chain address of the records' creator
 */
export function liquidityRecords(creator: string): LiquidityRecord[] {
  const common = {
    ...untouched,
    creator,
    providerChainAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    symbol: 'USDC'
  }
  return [
    {
      ...common,
      id: 1,
      chain: 'ETH',
      amount: '50000',
      txHash: 'A'.repeat(64),
      status: 'Completed',
      pullHash: railHash('ETH', 'pull', -1),
      releaseHash: railHash('ETH', 'release', -1)
    },
    {
      ...common,
      id: 2,
      chain: 'POL',
      amount: '1250.5',
      txHash: 'B'.repeat(64),
      status: 'FailedToPull',
      pullFailCount: 1,
      failReason: 'the allowance does not cover the pull'
    }
  ]
}
