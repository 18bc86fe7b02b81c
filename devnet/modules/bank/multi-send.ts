import { MsgMultiSend, MsgMultiSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { addressProblem } from '../../chain/addresses.ts'
import { AbciError, sdkError } from '../../chain/errors.ts'
import type { MessageHandler } from '../../chain/module.ts'
import { addCoins, ensureAccount, subtractCoins } from './balances.ts'
import { type Coin, formatCoins, fromProto, sumCoins, toProto } from './coins.ts'
import { checkCoins, checkRecipient } from './send.ts'
import { checkSendEnabled } from './send-enabled.ts'

interface Side {
  address: string
  coins: Coin[]
}

interface MultiSend {
  inputs: Side[]
  outputs: Side[]
}

function checkSide({ address, coins }: Side, name: 'input' | 'output', prefix: string): void {
  const problem = addressProblem(address, prefix)
  if (problem) throw sdkError('invalidAddress', `invalid ${name} address: ${problem}`)
  checkCoins(coins)
}

function toAminoSide({ address, coins }: Side) {
  return { address, coins: toProto(coins) }
}

/** Moves coins from one signer to several addresses; the SDK allows a single input since 0.47. */
export function createMultiSendHandler(
  prefix: string,
  blocked: ReadonlySet<string>
): MessageHandler<MultiSend> {
  return {
    typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend',
    module: 'bank',
    highestField: 2,
    decode(value) {
      const { inputs, outputs } = MsgMultiSend.decode(value)
      const read = ({ address, coins }: (typeof inputs)[number]) => ({ address, coins: fromProto(coins) })
      return { inputs: inputs.map(read), outputs: outputs.map(read) }
    },
    signers: ({ inputs }) => inputs.map(({ address }) => address),
    validateBasic({ inputs, outputs }) {
      if (inputs.length === 0) throw new AbciError('bank', 2, 'no inputs to send transaction')
      if (inputs.length !== 1) throw new AbciError('bank', 9, 'multiple senders not allowed')
      if (outputs.length === 0) throw new AbciError('bank', 3, 'no outputs to send transaction')
      for (const input of inputs) checkSide(input, 'input', prefix)
      for (const output of outputs) checkSide(output, 'output', prefix)
      const spent = formatCoins(sumCoins(inputs.map(({ coins }) => coins)))
      const received = formatCoins(sumCoins(outputs.map(({ coins }) => coins)))
      if (spent !== received) throw new AbciError('bank', 4, 'sum inputs != sum outputs')
    },
    execute({ inputs, outputs }, context) {
      const { state, emit, sdk } = context
      for (const { coins } of inputs) checkSendEnabled(state, coins)
      for (const { address } of outputs) checkRecipient(address, blocked)
      for (const { address, coins } of inputs) {
        if (sdk !== '0.47') emit('message', { sender: address })
        subtractCoins(context, address, coins)
        if (sdk === '0.47') emit('message', { sender: address })
      }
      const sender = sdk === '0.47' ? {} : { sender: inputs[0]?.address ?? '' }
      for (const { address, coins } of outputs) {
        addCoins(context, address, coins)
        emit('transfer', { recipient: address, ...sender, amount: formatCoins(coins) })
        ensureAccount(state, address)
      }
      return {
        typeUrl: '/cosmos.bank.v1beta1.MsgMultiSendResponse',
        value: MsgMultiSendResponse.encode({}).finish()
      }
    },
    toAmino: ({ inputs, outputs }) => ({
      type: 'cosmos-sdk/MsgMultiSend',
      value: { inputs: inputs.map(toAminoSide), outputs: outputs.map(toAminoSide) }
    })
  }
}
