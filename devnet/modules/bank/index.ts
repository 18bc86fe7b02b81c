import { moduleAddress } from '../../chain/addresses.ts'
import type { ChainModule, MessageHandler } from '../../chain/module.ts'
import type { ChainOptions } from '../../chain/options.ts'
import { feeCollector } from '../auth/genesis.ts'
import { initBankGenesis } from './genesis.ts'
import { createMultiSendHandler } from './multi-send.ts'
import { createBankQueries } from './queries.ts'
import { createSendHandler } from './send.ts'

/** SDK 0.50 has no ValidateBasic for bank messages: the same checks begin their execution, in a block or simulation. */
function checkedOnExecution<T>(handler: MessageHandler<T>): MessageHandler<T> {
  return {
    ...handler,
    validateBasic() {},
    execute(message, context) {
      handler.validateBasic(message)
      return handler.execute(message, context)
    }
  }
}

/** Balances, supply and transfers of coins. */
export function createBankModule({ prefix, sdk }: Pick<ChainOptions, 'prefix' | 'sdk'>): ChainModule {
  const blocked = new Set([moduleAddress(feeCollector, prefix)])
  const send = createSendHandler(prefix, blocked)
  const multiSend = createMultiSendHandler(prefix, blocked)
  return {
    handlers: sdk === '0.47' ? [send, multiSend] : [checkedOnExecution(send), checkedOnExecution(multiSend)],
    initGenesis: (state, appState) => initBankGenesis(state, appState, prefix),
    queries: createBankQueries(prefix)
  }
}
