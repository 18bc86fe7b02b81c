import { moduleAddress } from '../../chain/addresses.ts'
import type { ChainModule } from '../../chain/module.ts'
import { feeCollector } from '../auth/genesis.ts'
import { initBankGenesis } from './genesis.ts'
import { createMultiSendHandler } from './multi-send.ts'
import { createBankQueries } from './queries.ts'
import { createSendHandler } from './send.ts'

/** Balances, supply and transfers of coins. */
export function createBankModule({ prefix }: { prefix: string }): ChainModule {
  const blocked = new Set([moduleAddress(feeCollector, prefix)])
  return {
    handlers: [createSendHandler(prefix, blocked), createMultiSendHandler(prefix, blocked)],
    initGenesis: (state, appState) => initBankGenesis(state, appState, prefix),
    queries: createBankQueries(prefix)
  }
}
