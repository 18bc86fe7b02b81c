import { MsgSend, MsgSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { addressProblem } from '../../chain/addresses.ts'
import { sdkError } from '../../chain/errors.ts'
import type { MessageHandler } from '../../chain/module.ts'
import { sendCoins } from './balances.ts'
import { areValidCoins, formatCoins, fromProto } from './coins.ts'

/** Moves coins from the signer to another address, but not to `blocked`, the account of a module. */
export function createSendHandler(prefix: string, blocked: string): MessageHandler<MsgSend> {
  return {
    typeUrl: MsgSend.typeUrl,
    module: 'bank',
    codec: MsgSend,
    signers: ({ fromAddress }) => [fromAddress],
    validateBasic({ fromAddress, toAddress, amount }) {
      const fromProblem = addressProblem(fromAddress, prefix)
      if (fromProblem) throw sdkError('invalidAddress', `invalid from address: ${fromProblem}`)
      const toProblem = addressProblem(toAddress, prefix)
      if (toProblem) throw sdkError('invalidAddress', `invalid to address: ${toProblem}`)
      const coins = fromProto(amount)
      if (coins.length === 0 || !areValidCoins(coins)) throw sdkError('invalidCoins', formatCoins(coins))
    },
    execute({ fromAddress, toAddress, amount }, context) {
      if (toAddress === blocked) {
        throw sdkError('unauthorized', `${toAddress} is not allowed to receive funds`)
      }
      sendCoins(context, fromAddress, toAddress, fromProto(amount))
      return { typeUrl: MsgSendResponse.typeUrl, value: MsgSendResponse.encode({}).finish() }
    }
  }
}
