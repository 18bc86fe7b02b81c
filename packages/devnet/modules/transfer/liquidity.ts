import { railHash } from './rail-hash.ts'
import { type Progress, untouched } from './record.ts'

/** A provider's deposit into a chain's liquidity pool. */
export interface LiquidityRecord extends Progress {
  id: number
  creator: string
  chain: string
  providerChainAddress: string
  symbol: string
  /** The amount in whole tokens, a decimal string. */
  amount: string
  txHash: string
}

/** Returns the fixed liquidity-pool transactions. */
export function liquidityRecords(creator: string): LiquidityRecord[] {
  const providerChainAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const common = { ...untouched, creator, providerChainAddress, symbol: 'USDC' }
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
