import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { runAnteHandler } from '../../modules/auth/ante/index.ts'
import type { App } from '../app.ts'
import { sdkError, toAbciError } from '../errors.ts'
import { createEventList, createLog, withMessageIndex } from '../events.ts'
import { Branch } from '../state/branch.ts'
import { GasMeter, meteredState } from '../state/gas.ts'
import type { AbciError, ChainEvent, State } from '../types.ts'
import type { DecodedTx } from './decode.ts'
import { executeMessage } from './execute-message.ts'

/** What a transaction is run for: the mempool, the mempool after a block, an estimate, or a block. */
export type RunMode = 'check' | 'recheck' | 'simulate' | 'deliver'

/** Where a transaction runs: the height and time of the block under way, or of the last one for the mempool. */
export interface RunContext {
  readonly state: State
  readonly height: number
  readonly time: string
}

export interface RunResult {
  gasWanted: bigint
  gasUsed: bigint
  /** What failed; then nothing of the messages remains. */
  error: AbciError | undefined
  /** Encoded TxMsgData; empty on failure. */
  data: Uint8Array
  log: string
  /** All events on success, those of the ante handler when a message failed, none when the ante handler did. */
  events: ChainEvent[]
}

function failure(error: unknown, meter: GasMeter | undefined, events: ChainEvent[] = []): RunResult {
  const abciError = toAbciError(error)
  const gas = { gasWanted: meter?.limit ?? 0n, gasUsed: meter?.used ?? 0n }
  return { ...gas, error: abciError, data: new Uint8Array(), log: abciError.message, events }
}

/** Runs the messages in order, all or none. @throws AbciError of the first that fails, naming its index */
function executeMessages(app: App, tx: DecodedTx, mode: RunMode, context: RunContext, meter: GasMeter) {
  const branch = new Branch(context.state)
  const metered = meteredState(branch, meter)
  const eventsByMessage: ChainEvent[][] = []
  const msgResponses = tx.messages.map((message, index) => {
    const { height, time } = context
    const { response, events } = executeMessage(
      message,
      index,
      { state: metered, height, time, txHash: tx.hash },
      () => app.messageFaults.check(message, mode)
    )
    eventsByMessage.push(app.sdk === '0.47' ? events : withMessageIndex(events, index))
    return response
  })
  const data = TxMsgData.encode({ data: [], msgResponses }).finish()
  const log = app.sdk === '0.47' ? createLog(eventsByMessage) : ''
  return { data, log, events: eventsByMessage.flat(), commit: () => branch.commit(context.state) }
}

/**
 * Runs a transaction as BaseApp does: the messages' own checks, the ante handler on a branch of state, and, unless it
 * is for the mempool, the messages on another. A failed ante handler leaves nothing in `context.state`, a failed
 * message only what the ante handler did (fee and sequence).
 */
export function runTx(app: App, tx: DecodedTx, mode: RunMode, context: RunContext): RunResult {
  const meter = new GasMeter(mode === 'simulate' ? undefined : (tx.fee?.gasLimit ?? 0n))
  const ante = createEventList()
  try {
    if (tx.messages.length === 0) {
      throw sdkError('invalidRequest', 'must contain at least one message')
    }
    for (const { handler, message } of tx.messages) handler.validateBasic(message)
  } catch (error) {
    return failure(error, undefined)
  }
  try {
    const branch = new Branch(context.state)
    const state = meteredState(branch, meter)
    runAnteHandler({ app, tx, mode, height: context.height, state, meter, emit: ante.emit })
    branch.commit(context.state)
  } catch (error) {
    return failure(error, meter)
  }
  if (mode === 'check' || mode === 'recheck') {
    const log = app.sdk === '0.47' ? '[]' : ''
    const gas = { gasWanted: meter.limit, gasUsed: meter.used }
    return { ...gas, error: undefined, data: new Uint8Array(), log, events: ante.events }
  }
  try {
    const { data, log, events, commit } = executeMessages(app, tx, mode, context, meter)
    commit()
    const gas = { gasWanted: meter.limit, gasUsed: meter.used }
    return { ...gas, error: undefined, data, log, events: [...ante.events, ...events] }
  } catch (error) {
    return failure(error, meter, ante.events)
  }
}
