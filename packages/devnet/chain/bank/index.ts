import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { MsgSend, MsgSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { addressProblem } from '../addresses.ts'
import { areValidCoins, formatCoins, fromProto, isValidDenom } from '../coins.ts'
import { grpcError, sdkError } from '../errors.ts'
import type { ChainModule, MessageHandler } from '../module.ts'
import { getBalance, sendCoins, setBalance } from './balances.ts'

export const createBankModule = (prefix: string): ChainModule => ({
  handlers: [createSendHandler(prefix)],
  initGenesis(state, { accounts }) {
    for (const { address, coins } of accounts) for (const coin of coins) setBalance(state, address, coin)
  },
  queries: {
    '/cosmos.bank.v1beta1.Query/Balance'(request, state) {
      const { address, denom } = QueryBalanceRequest.decode(request)
      if (!isValidDenom(denom)) throw grpcError('InvalidArgument', `invalid denom: ${denom}`)
      const problem = addressProblem(address, prefix)
      if (problem) throw grpcError('InvalidArgument', `invalid address: ${problem}`)
      const balance = { denom, amount: getBalance(state, address, denom).toString() }
      return QueryBalanceResponse.encode({ balance }).finish()
    }
  }
})

const createSendHandler = (prefix: string): MessageHandler<MsgSend> => ({
  typeUrl: MsgSend.typeUrl,
  module: 'bank',
  codec: MsgSend,
  signers: ({ fromAddress }) => [fromAddress],
  validateBasic({ fromAddress, toAddress, amount }) {
    for (const [end, address] of Object.entries({ from: fromAddress, to: toAddress })) {
      const problem = addressProblem(address, prefix)
      if (problem) throw sdkError('invalidAddress', `invalid ${end} address: ${problem}`)
    }
    const coins = fromProto(amount)
    if (coins.length === 0 || !areValidCoins(coins)) throw sdkError('invalidCoins', formatCoins(coins))
  },
  execute({ fromAddress, toAddress, amount }, context) {
    sendCoins(context, fromAddress, toAddress, fromProto(amount))
    return { typeUrl: MsgSendResponse.typeUrl, value: MsgSendResponse.encode({}).finish() }
  }
})
