import type { ChainModule } from '../../chain/module.ts'
import { initAuthGenesis } from './genesis.ts'
import { createAuthQueries } from './queries.ts'

/** Accounts. The ante handler in `ante/` belongs to this module, but the chain runs it, once for each transaction. */
export function createAuthModule(prefix: string): ChainModule {
  return {
    handlers: [],
    initGenesis: (state, genesis) => initAuthGenesis(state, genesis, prefix),
    queries: createAuthQueries(prefix)
  }
}
