import type { QueryHandler } from '../module.ts'
import type { ChainOptions } from '../options.ts'
import type { Store } from '../state/store.ts'
import type { DecodedTx } from './decode.ts'
import type { MessageFaults } from './message-faults.ts'
import type { SignatureVerifier } from './verify-signature.ts'

/** The application: its state, and the settings, some of which change at run time. */
export interface App extends ChainOptions {
  chainId: string
  /** The height of the first block under this chain id. */
  initialHeight: number
  /** The address of the module account that receives the fees. */
  readonly feeCollector: string
  /** By gRPC path. */
  readonly queries: ReadonlyMap<string, QueryHandler>
  /** @throws AbciError 2 for invalid bytes or an unknown message type */
  readonly decode: (bytes: Uint8Array) => DecodedTx
  verifySignature: SignatureVerifier
  readonly store: Store
  readonly messageFaults: MessageFaults
}
