import { MsgSend, MsgSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { addressProblem } from '../../chain/addresses.ts'
import { sdkError } from '../../chain/errors.ts'
import type { MessageHandler } from '../../chain/module.ts'
import { sendCoins } from './balances.ts'
import { areValidCoins, type Coin, formatCoins, fromProto, toProto } from './coins.ts'
import { checkSendEnabled } from './send-enabled.ts'

export interface Send {
  from: string
  to: string
  amount: Coin[]
}

/** Coins that may be sent. @throws AbciError 10 */
export function checkCoins(coins: readonly Coin[]): void {
  if (coins.length === 0 || !areValidCoins(coins)) throw sdkError('invalidCoins', formatCoins(coins))
}

/** @throws AbciError 4 for the account of a module, which cannot receive coins by message */
export function checkRecipient(recipient: string, blocked: ReadonlySet<string>): void {
  if (blocked.has(recipient)) throw sdkError('unauthorized', `${recipient} is not allowed to receive funds`)
}

/** Moves coins from the signer to another address. */
export function createSendHandler(prefix: string, blocked: ReadonlySet<string>): MessageHandler<Send> {
  return {
    typeUrl: '/cosmos.bank.v1beta1.MsgSend',
    module: 'bank',
    highestField: 3,
    decode(value) {
      const { fromAddress, toAddress, amount } = MsgSend.decode(value)
      return { from: fromAddress, to: toAddress, amount: fromProto(amount) }
    },
    signers: ({ from }) => [from],
    validateBasic({ from, to, amount }) {
      const fromProblem = addressProblem(from, prefix)
      if (fromProblem) throw sdkError('invalidAddress', `invalid from address: ${fromProblem}`)
      const toProblem = addressProblem(to, prefix)
      if (toProblem) throw sdkError('invalidAddress', `invalid to address: ${toProblem}`)
      checkCoins(amount)
    },
    execute({ from, to, amount }, context) {
      checkSendEnabled(context.state, amount)
      checkRecipient(to, blocked)
      sendCoins(context, from, to, amount)
      return { typeUrl: '/cosmos.bank.v1beta1.MsgSendResponse', value: MsgSendResponse.encode({}).finish() }
    },
    toAmino: ({ from, to, amount }) => ({
      type: 'cosmos-sdk/MsgSend',
      value: { from_address: from, to_address: to, amount: toProto(amount) }
    })
  }
}
