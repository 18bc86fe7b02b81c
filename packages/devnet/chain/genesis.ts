import type { Coin } from '../modules/bank/coins.ts'

/** The initial state of a chain. */
export interface Genesis {
  chainId: string
  /** In the order of their account numbers. */
  accounts: readonly { address: string; coins: readonly Coin[] }[]
}
