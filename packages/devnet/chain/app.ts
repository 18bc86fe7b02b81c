import { createAuthModule, feeCollector } from '../modules/auth/index.ts'
import { createSignatureVerifier, type SignatureVerifier } from '../modules/auth/verify-signature.ts'
import { createBankModule } from '../modules/bank/index.ts'
import { moduleAddress } from './addresses.ts'
import { atomicPrice } from './min-gas-price.ts'
import type { ChainModule, MessageHandler, QueryHandler } from './module.ts'
import type { ChainOptions } from './options.ts'
import { createStore, type Store } from './state/store.ts'
import type { Handlers } from './tx/decode.ts'
import { createMessageFaults, type MessageFaults } from './tx/message-faults.ts'

/** How many past heights can be queried. */
const HISTORY_LENGTH = 1000

/** The application: modules, messages, queries and state. */
export interface App {
  chainId: string
  /** The height of the first block under this chain id. */
  initialHeight: number
  readonly prefix: string
  /** The address of the module account that receives the fees. */
  readonly feeCollector: string
  readonly sdk: ChainOptions['sdk']
  maxBlockGas: bigint
  readonly feeDenom: string
  /** The minimum gas price for CheckTx, in 10^-18 base units; 0 requires no fee. */
  minGasPrice: bigint
  readonly modules: readonly ChainModule[]
  readonly handlers: Handlers
  readonly queries: ReadonlyMap<string, QueryHandler>
  verifySignature: SignatureVerifier
  readonly store: Store
  readonly messageFaults: MessageFaults
}

/** Creates the application with its genesis state. */
export function createApp(options: ChainOptions, modules: readonly ChainModule[]): App {
  const { prefix, genesis, feeDenom } = options
  const { chainId } = genesis
  const all = [createAuthModule(prefix), createBankModule(prefix), ...modules]
  const store = createStore(HISTORY_LENGTH)
  for (const module of all) module.initGenesis?.(store, genesis)
  const handlers = all.flatMap(module => module.handlers)
  const queries = all.flatMap(module => Object.entries(module.queries ?? {}))
  return {
    chainId,
    initialHeight: 1,
    prefix,
    feeCollector: moduleAddress(feeCollector, prefix),
    sdk: options.sdk,
    maxBlockGas: options.maxBlockGas,
    feeDenom,
    minGasPrice: atomicPrice(options.minGasPrice),
    modules: all,
    handlers: new Map(handlers.map((handler): [string, MessageHandler] => [handler.typeUrl, handler])),
    queries: new Map(queries),
    verifySignature: createSignatureVerifier(chainId),
    store,
    messageFaults: createMessageFaults()
  }
}
