import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { runAnteHandler } from '../../modules/auth/ante/index.ts'
import type { App } from '../app.ts'
import { sdkError } from '../errors.ts'
import { type ChainEvent, createEventList, createLog, withMessageIndex } from '../events.ts'
import { Branch } from '../state/branch.ts'
import { GasMeter, meteredState } from '../state/gas.ts'
import type { RunContext, RunMode } from './context.ts'
import type { DecodedTx } from './decode.ts'
import { executeMessage } from './execute-message.ts'
import { failedTx, type TxResult } from './results.ts'

/** Executes the messages in order, atomically. @throws AbciError of the first message that fails, with its index */
function executeMessages(app: App, tx: DecodedTx, mode: RunMode, context: RunContext, meter: GasMeter) {
  const branch = new Branch(context.state)
  const metered = meteredState(branch, meter)
  const eventsByMessage: ChainEvent[][] = []
  const msgResponses = tx.messages.map((message, index) => {
    const { response, events } = executeMessage(
      message,
      index,
      { state: metered, height: context.height, txHash: tx.hash },
      () => app.messageFaults.check(message, mode)
    )
    eventsByMessage.push(app.sdk === '0.47' ? events : withMessageIndex(events, index))
    return response
  })
  const data = TxMsgData.encode({ data: [], msgResponses }).finish()
  const log = app.sdk === '0.47' ? createLog(eventsByMessage) : ''
  return { data, log, events: eventsByMessage.flat(), commit: () => branch.commit(context.state) }
}

const success = { code: 0, codespace: '' }

/**
 * Runs a transaction as BaseApp does: validates the messages, runs the ante handler on a branch of the state and,
 * except in mempool checks, executes the messages on another branch. If the ante handler fails, `context.state` stays
 * unchanged. If a message fails, only the ante handler's changes remain (fee and sequence). At height 0, which a
 * restarted node uses for mempool checks until its next block, gas is unlimited and signatures must use account number
 * 0.
 * @param decode decodes the transaction; an error thrown here fails the transaction
 */
export function runTx(app: App, decode: () => DecodedTx, mode: RunMode, context: RunContext): TxResult {
  let tx: DecodedTx
  try {
    tx = decode()
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
    const { height } = context
    const time = Date.parse(context.time)
    runAnteHandler({ app, tx, mode, height, time, state, meter, emit: ante.emit })
    branch.commit(context.state)
  } catch (error) {
    return failedTx(error, gas())
  }
  if (mode === 'check' || mode === 'recheck') {
    const log = app.sdk === '0.47' ? '[]' : ''
    return { ...success, ...gas(), data: new Uint8Array(), log, events: ante.events }
  }
  try {
    const { data, log, events, commit } = executeMessages(app, tx, mode, context, meter)
    commit()
    return { ...success, ...gas(), data, log, events: [...ante.events, ...events] }
  } catch (error) {
    return failedTx(error, gas(), ante.events)
  }
}
