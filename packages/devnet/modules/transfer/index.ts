import {
  createMessageTypes,
  type MessageType,
  type MsgRequestSwapTransaction,
  type MsgRequestTransaction,
  msgRequestResponse
} from '../../../../services/messages/index.ts'
import { AbciError, sdkError } from '../../chain/errors.ts'
import type { ChainModule, MessageHandler } from '../../chain/module.ts'
import { allow, isWhitelisted, putRecord, takeId } from './keeper.ts'
import { type CommonRecord, type Route, type TransactionRecord, untouched } from './record.ts'
import { isTarget, specialTargets } from './special-addresses.ts'
import { refusalOf, validateRequest } from './validate.ts'

type Request = MsgRequestTransaction | MsgRequestSwapTransaction

interface Kind<T extends Request> {
  type: MessageType<T>
  module: string
  event: string
  amounts(message: T): Record<string, string>
  record(message: T, common: CommonRecord): TransactionRecord
}

/**
 * Creates the module that accepts transfers and swaps. A record is stored as of its request; `lifecycle.ts` derives its
 * progress from the number of blocks since.
 * @param whitelist addresses that may submit (interface 17.4)
 */
export function createTransferModule(
  brand: string,
  prefix: string,
  whitelist: readonly string[]
): ChainModule {
  const { requestTransaction, requestSwapTransaction } = createMessageTypes(brand)
  const transfers = createHandler(prefix, {
    type: requestTransaction,
    module: 'transaction',
    event: 'transaction_requested',
    amounts: ({ amount }) => ({ amount }),
    record: ({ amount }, common) => ({ kind: 'transfer', ...common, amount })
  })
  const swaps = createHandler(prefix, {
    type: requestSwapTransaction,
    module: 'swap',
    event: 'swap_transaction_requested',
    amounts: ({ amountIn, amountOut }) => ({ amountIn, amountOut }),
    record: ({ amountIn, amountOut, dex, slippage }, common) => ({
      kind: 'swap',
      ...common,
      amountIn,
      amountOut,
      dex,
      slippage
    })
  })
  return {
    handlers: [transfers, swaps],
    initGenesis(state) {
      for (const address of whitelist) allow(state, address)
    }
  }
}

function createHandler<T extends Request>(prefix: string, kind: Kind<T>): MessageHandler<T> {
  function respond(code: string, msg: string, txId: bigint) {
    const value = msgRequestResponse.encode({ code, msg, txId }).finish()
    return { typeUrl: kind.type.responseTypeUrl, value }
  }

  return {
    typeUrl: kind.type.typeUrl,
    module: kind.module,
    codec: kind.type,
    signers: message => [message.creator],
    validateBasic: message => validateRequest(message, kind.amounts(message), prefix),
    execute(message, context) {
      const { creator, targetAddress } = message
      if (!isWhitelisted(context.state, creator)) {
        throw sdkError('unauthorized', `creator ${creator} is not whitelisted`)
      }
      if (isTarget(targetAddress, specialTargets.failedMessage)) {
        throw new AbciError(kind.module, 1100, 'the target address makes the message fail')
      }
      const refusal = refusalOf(message)
      if (refusal !== undefined) {
        context.emit('error', { code: '400', content: refusal })
        return respond('400', refusal, 0n)
      }
      const { state, txHash, height: createdAt, emit } = context
      const route = routeOf(message)
      const id = takeId(state)
      putRecord(
        state,
        kind.record(message, { ...untouched, ...route, id, txHash, createdAt, ...paymentOf(message) })
      )
      emit(kind.event, { txId: String(id), ...route, ...kind.amounts(message), fee: message.fee })
      return respond('200', 'transaction requested', BigInt(id))
    }
  }
}

function paymentOf({ fee, options }: Request): Pick<CommonRecord, 'fee' | 'permit2'> {
  const { permit2 } = JSON.parse(options)
  return { fee, ...(permit2 !== undefined && { permit2 }) }
}

/** Copies the fields that messages, records and events share. */
function routeOf(from: Route): Route {
  const { creator, originChain, originAddress, originSymbol, targetChain, targetAddress, targetSymbol } = from
  return { creator, originChain, originAddress, originSymbol, targetChain, targetAddress, targetSymbol }
}
