import type { ChainModule } from '../../chain/module.ts'
import { createHandlers } from './handlers.ts'
import { allow } from './keeper.ts'

/**
 * The module that accepts transfers and swaps. Its data is in the chain's state, so a failed transaction or a simulation
 * leaves nothing behind. A record's progress block by block follows from its height (`lifecycle.ts`).
 * @param brand the maker's brand, in the packages of the messages
 * @param prefix Bech32 prefix of the creators' addresses
 * @param whitelist addresses that may submit (interface 17.3)
 */
export function createTransferModule(
  brand: string,
  prefix: string,
  whitelist: readonly string[]
): ChainModule {
  return {
    handlers: createHandlers(brand, prefix),
    initGenesis(state) {
      for (const address of whitelist) allow(state, address)
    }
  }
}
