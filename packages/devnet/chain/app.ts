import { createAuthModule, feeCollector } from '../modules/auth/index.ts'
import { createSignatureVerifier } from '../modules/auth/verify-signature.ts'
import { createBankModule } from '../modules/bank/index.ts'
import { moduleAddress } from './addresses.ts'
import type { ChainModule, MessageHandler } from './module.ts'
import type { ChainOptions } from './options.ts'
import { createStore } from './state/store.ts'
import { createDecoder } from './tx/decode.ts'
import { createMessageFaults } from './tx/message-faults.ts'

const HISTORY_LENGTH = 1000

/** The application: modules, state, and the settings, some of which change at run time. */
export type App = ReturnType<typeof createApp>

/** Creates the application with its genesis state. */
export function createApp(options: ChainOptions, modules: readonly ChainModule[]) {
  const { prefix, genesis } = options
  const { chainId } = genesis
  const all = [createAuthModule(prefix), createBankModule(prefix), ...modules]
  const store = createStore(HISTORY_LENGTH)
  for (const module of all) module.initGenesis?.(store, genesis)
  const handlers = all
    .flatMap(module => module.handlers)
    .map((handler): [string, MessageHandler] => [handler.typeUrl, handler])
  return {
    ...options,
    chainId,
    /** The height of the first block under this chain id. */
    initialHeight: 1,
    /** The address of the module account that receives the fees. */
    feeCollector: moduleAddress(feeCollector, prefix),
    queries: new Map(all.flatMap(module => Object.entries(module.queries ?? {}))),
    decode: createDecoder(new Map(handlers)),
    verifySignature: createSignatureVerifier(chainId),
    store,
    messageFaults: createMessageFaults()
  }
}
