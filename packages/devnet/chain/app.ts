import { moduleAddress } from './addresses.ts'
import { createAuthModule, feeCollector } from './auth/index.ts'
import { createBankModule } from './bank/index.ts'
import type { ChainModule, MessageHandler } from './module.ts'
import type { ChainOptions } from './options.ts'
import { createStore } from './state/store.ts'
import type { App } from './tx/app.ts'
import { createDecoder } from './tx/decode.ts'
import { createMessageFaults } from './tx/message-faults.ts'
import { createSignatureVerifier } from './tx/verify-signature.ts'

const HISTORY_LENGTH = 1000

export function createApp(options: ChainOptions, modules: readonly ChainModule[]): App {
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
    initialHeight: 1,
    feeCollector: moduleAddress(feeCollector, prefix),
    queries: new Map(all.flatMap(module => Object.entries(module.queries ?? {}))),
    decode: createDecoder(new Map(handlers)),
    verifySignature: createSignatureVerifier(chainId),
    store,
    messageFaults: createMessageFaults()
  }
}
