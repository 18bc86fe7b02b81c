import type { Coin } from '../modules/bank/coins.ts'

/** Where a chain begins. */
export interface Genesis {
  chainId: string
  /** In the order of their numbers. */
  accounts: readonly { address: string; coins: readonly Coin[] }[]
}
