import type { EncodeObject } from '@cosmjs/proto-signing'
import {
  createMessageTypes,
  type MsgRequestSwapTransaction,
  type MsgRequestTransaction
} from '../../../services/messages/index.ts'
import { transferFields } from '../../helpers/transfer.ts'

const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')

export function transfer(
  creator: string,
  feeId: string,
  change: Partial<MsgRequestTransaction> = {}
): EncodeObject {
  const { typeUrl, fromPartial } = requestTransaction
  return { typeUrl, value: fromPartial({ ...transferFields(feeId), creator, ...change }) }
}

export function swap(
  creator: string,
  feeId: string,
  change: Partial<MsgRequestSwapTransaction> = {}
): EncodeObject {
  const { typeUrl, fromPartial } = requestSwapTransaction
  const amounts = { amountIn: '10', amountOut: '9.5', dex: 'auto', slippage: '0.5' }
  return { typeUrl, value: fromPartial({ ...transferFields(feeId), creator, ...amounts, ...change }) }
}
