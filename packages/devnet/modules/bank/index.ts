import { moduleAddress } from '../../chain/addresses.ts'
import type { ChainModule } from '../../chain/module.ts'
import { feeCollector } from '../auth/genesis.ts'
import { setBalance } from './balances.ts'
import { createBankQueries } from './queries.ts'
import { createSendHandler } from './send.ts'

/** Balances and transfers of coins. */
export function createBankModule(prefix: string): ChainModule {
  return {
    handlers: [createSendHandler(prefix, moduleAddress(feeCollector, prefix))],
    initGenesis(state, { accounts }) {
      for (const { address, coins } of accounts) for (const coin of coins) setBalance(state, address, coin)
    },
    queries: createBankQueries(prefix)
  }
}
