import { moduleAddress } from '../../chain/addresses.ts'
import type { Genesis } from '../../chain/genesis.ts'
import type { State } from '../../chain/state/state.ts'
import { createAccount } from './accounts.ts'

export const feeCollector = 'fee_collector'

/** Creates the accounts of the genesis, and that of the fee collector. */
export function initAuthGenesis(state: State, { accounts }: Genesis, prefix: string): void {
  for (const { address } of accounts) createAccount(state, address)
  createAccount(state, moduleAddress(feeCollector, prefix))
}
