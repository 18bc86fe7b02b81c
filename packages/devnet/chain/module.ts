import type { Emit } from './events.ts'
import type { Genesis } from './options.ts'
import type { State, StateView } from './state/state.ts'

export interface ChainModule {
  handlers: MessageHandler[]
  initGenesis?(state: State, genesis: Genesis): void
  /** Query handlers by gRPC path, such as `/cosmos.bank.v1beta1.Query/Balance`. */
  queries?: Record<string, QueryHandler>
}

/** The interface of a protobuf message type in `cosmjs-types`. */
export interface Codec<T> {
  decode(bytes: Uint8Array): T
  encode(message: T): { finish(): Uint8Array }
}

export interface MessageHandler<T = unknown> {
  typeUrl: string
  codec: Codec<T>
  /** Returns the required signers, in order. */
  signers(message: T): string[]
  /** Validates the message without state, like ValidateBasic. @throws AbciError */
  validateBasic(message: T): void
  /** Executes the message. @returns the encoded response @throws AbciError to fail the whole transaction */
  execute(message: T, context: MessageContext): { typeUrl: string; value: Uint8Array }
  /** The module name in the event `message{action, sender, module}`. */
  module: string
}

export interface MessageContext {
  readonly state: State
  readonly height: number
  /** Upper-case hex hash of the transaction. */
  readonly txHash: string
  readonly emit: Emit
  /** @throws AbciError 11 when the gas limit is exceeded */
  consumeGas(amount: number): void
}

/** Handles a gRPC query that needs only state. @throws AbciError */
export type QueryHandler = (request: Uint8Array, state: StateView, height: number) => Uint8Array
