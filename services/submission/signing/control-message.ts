import { Registry } from '@cosmjs/proto-signing'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'

/** Gas limit of a transaction with the control message alone, well above what a transfer of coins uses. */
export const CONTROL_GAS = 200_000

const registry = new Registry([[MsgSend.typeUrl, MsgSend]])

/** One base unit from the wallet to itself: the chain accepts it whenever the wallet can pay a fee. */
export function controlMessage(address: string, denom: string): Any {
  const value = { fromAddress: address, toAddress: address, amount: [{ denom, amount: '1' }] }
  return registry.encodeAsAny({ typeUrl: MsgSend.typeUrl, value })
}
