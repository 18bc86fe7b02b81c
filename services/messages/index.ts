import { brandNames } from '../brand.ts'
import { type Codec, createCodec } from './codec.ts'
import { type MsgRequestSwapTransaction, requestSwapTransactionFields } from './request-swap-transaction.ts'
import { type MsgRequestTransaction, requestTransactionFields } from './request-transaction.ts'

export type { MsgRequestSwapTransaction } from './request-swap-transaction.ts'
export type { MsgRequestTransaction } from './request-transaction.ts'
export { msgRequestResponse } from './response.ts'

/** A message type as a CosmJS `Registry` takes it, with the type URL of its response. */
export interface MessageType<T> extends Codec<T> {
  readonly typeUrl: string
  readonly responseTypeUrl: string
}

/** The chain's message types under a brand's protobuf packages (interface 2.3 and 8.1). */
export function createMessageTypes(brand: string): {
  requestTransaction: MessageType<MsgRequestTransaction>
  requestSwapTransaction: MessageType<MsgRequestSwapTransaction>
} {
  const { transactionPackage, swapPackage } = brandNames(brand)
  return {
    requestTransaction: {
      ...createCodec(requestTransactionFields),
      typeUrl: `/${transactionPackage}.MsgRequestTransaction`,
      responseTypeUrl: `/${transactionPackage}.MsgRequestTransactionResponse`
    },
    requestSwapTransaction: {
      ...createCodec(requestSwapTransactionFields),
      typeUrl: `/${swapPackage}.MsgRequestSwapTransaction`,
      responseTypeUrl: `/${swapPackage}.MsgRequestSwapTransactionResponse`
    }
  }
}
