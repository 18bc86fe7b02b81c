import { moduleAddress } from '../../chain/addresses.ts'
import type { ChainModule } from '../../chain/module.ts'
import { feeCollector } from '../auth/genesis.ts'
import { initBankGenesis } from './genesis.ts'
import { createBankQueries } from './queries.ts'
import { createSendHandler } from './send.ts'

/** Balances, supply and transfers of coins. */
export function createBankModule(prefix: string): ChainModule {
  return {
    handlers: [createSendHandler(prefix, moduleAddress(feeCollector, prefix))],
    initGenesis: (state, appState) => initBankGenesis(state, appState, prefix),
    queries: createBankQueries(prefix)
  }
}
