import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Devnet } from '../../../packages/devnet/index.ts'
import {
  createMessageTypes,
  type MsgRequestSwapTransaction,
  type MsgRequestTransaction
} from '../../../services/messages/index.ts'

const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')

/** Decodes the requests that the chain executed from its blocks, oldest first. */
export function messagesOn({ chain }: Devnet): {
  transfers: MsgRequestTransaction[]
  swaps: MsgRequestSwapTransaction[]
} {
  const heights = Array.from({ length: chain.height }, (_, index) => index + 1)
  const messages = heights
    .flatMap(height => chain.block(height)?.txs ?? [])
    .filter(({ result }) => result.code === 0)
    .flatMap(({ bytes }) => TxBody.decode(TxRaw.decode(bytes).bodyBytes).messages)
  const values = (typeUrl: string) =>
    messages.filter(message => message.typeUrl === typeUrl).map(({ value }) => value)
  return {
    transfers: values(requestTransaction.typeUrl).map(value => requestTransaction.decode(value)),
    swaps: values(requestSwapTransaction.typeUrl).map(value => requestSwapTransaction.decode(value))
  }
}
