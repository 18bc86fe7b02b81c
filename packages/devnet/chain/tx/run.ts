import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { AbciError, sdkError } from '../errors.ts'
import { type ChainEvent, createEvent, createEventList, createLog, withMessageIndex } from '../events.ts'
import { GasMeter, meteredState } from '../state/gas.ts'
import { Branch } from '../state/state.ts'
import { runAnteHandler } from './ante/index.ts'
import type { App } from './app.ts'
import { failedTx, type RunContext, type RunMode, type TxResult } from './context.ts'
import type { DecodedMessage, DecodedTx } from './decode.ts'

const OUT_OF_GAS = 11

/** Creates the event that precedes a message's own events, with type, first signer and module. */
function messageEvent({ handler, message }: DecodedMessage, events: readonly ChainEvent[]): ChainEvent {
  const sender = handler.signers(message)[0]
  const namesModule = events.some(({ attributes }) => attributes.some(({ key }) => key === 'module'))
  return createEvent('message', {
    action: handler.typeUrl,
    ...(sender !== undefined && { sender }),
    ...(!namesModule && { module: handler.module })
  })
}

/** Adds the message index to an error. In the SDK, running out of gas is a panic, so its error has no index. */
function withIndex(thrown: unknown, index: number): unknown {
  if (!(thrown instanceof AbciError)) return thrown
  const { codespace, code, message } = thrown
  if (codespace === 'sdk' && code === OUT_OF_GAS) return thrown
  return new AbciError(codespace, code, `failed to execute message; message index: ${index}: ${message}`)
}

/** Executes the messages in order, atomically. @throws AbciError of the first message that fails, with its index */
function executeMessages(app: App, tx: DecodedTx, mode: RunMode, context: RunContext, meter: GasMeter) {
  const branch = new Branch(context.state)
  const state = meteredState(branch, meter)
  const is047 = app.sdk === '0.47'
  const eventsByMessage: ChainEvent[][] = []
  const msgResponses = tx.messages.map((decoded, index) => {
    const { events, emit } = createEventList()
    try {
      app.messageFaults.check(mode)
      const consumeGas = (amount: number) => meter.consume(amount, 'message')
      const message = { state, height: context.height, txHash: tx.hash, emit, consumeGas }
      const response = decoded.handler.execute(decoded.message, message)
      const all = [messageEvent(decoded, events), ...events]
      eventsByMessage.push(is047 ? all : withMessageIndex(all, index))
      return response
    } catch (thrown) {
      throw withIndex(thrown, index)
    }
  })
  branch.commit(context.state)
  return {
    data: TxMsgData.encode({ data: [], msgResponses }).finish(),
    log: is047 ? createLog(eventsByMessage) : '',
    events: eventsByMessage.flat()
  }
}

const success = { code: 0, codespace: '' }

/**
 * Runs a transaction as BaseApp does: the ante handler on a branch of the state and, except in mempool checks, the
 * messages on another. If the ante handler fails, `context.state` stays unchanged. If a message fails, only the changes
 * of the ante handler remain (fee and sequence). At height 0, which a restarted node uses for mempool checks until its
 * next block, gas is unlimited and signatures must use account number 0.
 */
export function runTx(app: App, bytes: Uint8Array, mode: RunMode, context: RunContext): TxResult {
  let tx: DecodedTx
  try {
    tx = app.decode(bytes)
    if (tx.messages.length === 0) {
      throw sdkError('invalidRequest', 'must contain at least one message')
    }
    for (const { handler, message } of tx.messages) handler.validateBasic(message)
  } catch (error) {
    return failedTx(error)
  }
  const unlimited = mode === 'simulate' || context.height === 0
  const meter = new GasMeter(unlimited ? undefined : tx.fee.gasLimit)
  const gas = () => ({ gasWanted: meter.limit, gasUsed: meter.used })
  const ante = createEventList()
  try {
    const branch = new Branch(context.state)
    const state = meteredState(branch, meter)
    runAnteHandler({ app, tx, mode, height: context.height, state, meter, emit: ante.emit })
    branch.commit(context.state)
  } catch (error) {
    return failedTx(error, gas())
  }
  if (mode === 'check' || mode === 'recheck') {
    const log = app.sdk === '0.47' ? '[]' : ''
    return { ...success, ...gas(), data: new Uint8Array(), log, events: ante.events }
  }
  try {
    const { data, log, events } = executeMessages(app, tx, mode, context, meter)
    return { ...success, ...gas(), data, log, events: [...ante.events, ...events] }
  } catch (error) {
    return failedTx(error, gas(), ante.events)
  }
}
