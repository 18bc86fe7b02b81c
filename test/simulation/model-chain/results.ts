import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { BlockTransaction, ChainEvent } from '../../../services/chain-client/index.ts'
import { msgRequestResponse } from '../../../services/messages/index.ts'
import type { Failure } from './execution.ts'
import type { ModelMessage, ModelTransaction } from './transaction.ts'

/** The SDK version determines how events are assigned to messages: by the log in 0.47, by an attribute in 0.50. */
export type Sdk = '0.47' | '0.50'

const NOTHING = new Uint8Array()

/** An attribute that pads a message's log to a realistic length. */
const LENGTH = { key: 'length', value: '-'.repeat(770) }

/** Builds the ante handler's event for one signer. @param value `ADDRESS/SEQUENCE` */
export function consumedEvent(value: string): ChainEvent {
  return { type: 'tx', attributes: [{ key: 'acc_seq', value }] }
}

function messageEvents({ behaviour }: ModelMessage, txId: number | undefined): ChainEvent[] {
  const message = { type: 'message', attributes: [{ key: 'action', value: 'request' }, LENGTH] }
  if (behaviour === 'transfer') return [message]
  if (behaviour === 'refused-by-event') {
    const attributes = [
      { key: 'code', value: '400' },
      { key: 'content', value: 'no' }
    ]
    return [message, { type: 'error', attributes }]
  }
  if (txId === undefined) return [message]
  const memo = behaviour === 'echoing' ? 'the creator is not whitelisted: unauthorized' : ''
  const attributes = [
    { key: 'txId', value: String(txId) },
    { key: 'memo', value: memo }
  ]
  return [message, { type: 'transaction_requested', attributes }]
}

function withIndex(events: ChainEvent[], index: number): ChainEvent[] {
  const attribute = { key: 'msg_index', value: String(index) }
  return events.map(({ type, attributes }) => ({ type, attributes: [...attributes, attribute] }))
}

export function bareResult(
  { hash, bytes, gasLimit }: Pick<ModelTransaction, 'hash' | 'bytes' | 'gasLimit'>,
  { code, codespace, log }: Failure,
  events: ChainEvent[],
  gasUsed: number
): BlockTransaction {
  return {
    hash,
    code,
    codespace,
    log,
    bytes,
    data: NOTHING,
    events,
    gasWanted: BigInt(gasLimit),
    gasUsed: BigInt(gasUsed)
  }
}

/**
 * Builds the result of a successful transaction.
 * @param txIds one per message; 0 if an event rejects the message, undefined for a lock
 */
export function succeededResult(
  { hash, bytes, gasLimit, messages }: ModelTransaction,
  options: { consumed: ChainEvent[]; gasUsed: number; txIds: (number | undefined)[]; sdk: Sdk }
): BlockTransaction {
  const { consumed, gasUsed, txIds, sdk } = options
  const perMessage = messages.map((message, index) => messageEvents(message, txIds[index]))
  const msgResponses = txIds.map(txId => ({
    typeUrl: '/model.Response',
    value: msgRequestResponse
      .encode({ code: txId === 0 ? '400' : '200', msg: '', txId: BigInt(txId ?? 0) })
      .finish()
  }))
  const is47 = sdk === '0.47'
  return {
    hash,
    bytes,
    code: 0,
    codespace: '',
    log: is47 ? JSON.stringify(perMessage.map((events, msg_index) => ({ msg_index, events }))) : '',
    data: TxMsgData.encode({ data: [], msgResponses }).finish(),
    events: [
      ...consumed,
      ...perMessage.flatMap((events, index) => (is47 ? events : withIndex(events, index)))
    ],
    gasWanted: BigInt(gasLimit),
    gasUsed: BigInt(gasUsed)
  }
}
