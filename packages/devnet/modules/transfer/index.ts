import {
  createMessageTypes,
  type MessageType,
  type MsgRequestSwapTransaction,
  type MsgRequestTransaction,
  msgRequestResponse
} from '../../../../services/messages/index.ts'
import { addressProblem } from '../../chain/addresses.ts'
import { AbciError, sdkError } from '../../chain/errors.ts'
import type { ChainModule, MessageContext, MessageHandler } from '../../chain/module.ts'
import { allow, isWhitelisted, putRecord, takeId } from './keeper.ts'
import { reclaimLock, registerLock, takeLock } from './locks.ts'
import { type Amounts, routeOf, untouched } from './record.ts'
import { isTarget, specialTargets } from './special-addresses.ts'
import { refusalOf, validateLock, validateRequest } from './validate.ts'

interface Kind<T> {
  type: MessageType<T>
  module: string
  /** @throws AbciError sdk 18 */
  validate(message: T): void
  /** @returns the id of the transfer, or why the chain refuses the message with an `error` event (interface 8.8) */
  execute(message: T, context: MessageContext): bigint | string
}

/**
 * Creates the module that accepts transfers, swaps and locks of bitcoins. A record is stored as of its request;
 * `lifecycle.ts` derives its progress from the number of blocks since.
 * @param whitelist addresses that may submit (interface 17.4)
 */
export function createTransferModule(
  brand: string,
  prefix: string,
  whitelist: readonly string[]
): ChainModule {
  const types = createMessageTypes(brand)
  const transfers = createHandler(prefix, {
    type: types.requestTransaction,
    module: 'transaction',
    validate: message => validateRequest(message, { amount: message.amount }),
    execute: (message, context) => request(message, { kind: 'transfer', amount: message.amount }, context)
  })
  const swaps = createHandler(prefix, {
    type: types.requestSwapTransaction,
    module: 'swap',
    validate: message =>
      validateRequest(message, { amountIn: message.amountIn, amountOut: message.amountOut }),
    execute(message, context) {
      const { amountIn, amountOut, dex, slippage } = message
      return request(message, { kind: 'swap', amountIn, amountOut, dex, slippage }, context)
    }
  })
  const locks = createHandler(prefix, {
    type: types.requestHtlcLock,
    module: 'transaction',
    validate: message => validateLock(message),
    execute: (message, { state }) => registerLock(state, message)
  })
  const reclaims = createHandler(prefix, {
    type: types.htlcReclaim,
    module: 'transaction',
    validate: () => {},
    execute: (message, { state }) => reclaimLock(state, message)
  })
  return {
    handlers: [transfers, swaps, locks, reclaims],
    initGenesis(state) {
      for (const address of whitelist) allow(state, address)
    }
  }
}

function createHandler<T extends { creator: string }>(
  prefix: string,
  { type, module, validate, execute }: Kind<T>
): MessageHandler<T> {
  return {
    typeUrl: type.typeUrl,
    module,
    codec: type,
    signers: message => [message.creator],
    validateBasic(message) {
      const problem = addressProblem(message.creator, prefix)
      if (problem !== undefined) throw sdkError('invalidAddress', `invalid creator address (${problem})`)
      validate(message)
    },
    execute(message, context) {
      if (!isWhitelisted(context.state, message.creator))
        throw sdkError('unauthorized', `creator ${message.creator} is not whitelisted`)
      const result = execute(message, context)
      const isRefused = typeof result === 'string'
      if (isRefused) context.emit('error', { code: '400', content: result })
      const response = isRefused
        ? { code: '400', msg: result, txId: 0n }
        : { code: '200', msg: 'transaction requested', txId: result }
      return { typeUrl: type.responseTypeUrl, value: msgRequestResponse.encode(response).finish() }
    }
  }
}

function request(
  message: MsgRequestTransaction | MsgRequestSwapTransaction,
  amounts: Amounts,
  { state, txHash, height: createdAt, emit }: MessageContext
): bigint | string {
  const isSwap = amounts.kind === 'swap'
  if (isTarget(message.targetAddress, specialTargets.failedMessage))
    throw new AbciError(isSwap ? 'swap' : 'transaction', 1100, 'the target address makes the message fail')
  const refusal = refusalOf(message)
  if (refusal !== undefined) return refusal
  const { fee } = message
  const lock = message.originChain === 'BTC' ? takeLock(state, message, amounts) : undefined
  if (typeof lock === 'string') return lock
  const { permit2 } = JSON.parse(message.options)
  const route = routeOf(message)
  const id = takeId(state)
  const payment = { fee, ...(permit2 !== undefined && { permit2 }), ...(lock !== undefined && { lock }) }
  putRecord(state, { ...untouched, ...route, ...amounts, id, txHash, createdAt, ...payment })
  const emitted = Object.entries(amounts).filter(([name]) => name.startsWith('amount'))
  const event = { txId: String(id), ...route, ...Object.fromEntries(emitted), fee }
  emit(isSwap ? 'swap_transaction_requested' : 'transaction_requested', event)
  return BigInt(id)
}
