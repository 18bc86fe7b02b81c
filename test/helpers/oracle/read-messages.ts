import { BinaryReader } from 'cosmjs-types/binary'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Refusal, SubmissionEvent } from '../../../services/submission/contract.ts'
import { type BlockTx, readEvent, type WrittenEvent } from './read-blocks.ts'

/** A message's fields by name. All compared fields are strings. */
export type Fields = Readonly<Record<string, string>>

/** Field names in order of their numbers, starting at 1 (interface 8.3). */
const ADDRESSES = ['creator', 'originChain', 'originAddress', 'targetChain', 'targetAddress']
const ROUTE = [...ADDRESSES, 'originSymbol', 'targetSymbol']
const SWAP = ['amountIn', 'amountOut', 'fee', 'dex', 'slippage']
const CREATION = ['htlcCreationHash', 'htlcCreationVout']
const HTLC = ['htlcExpirationTimestamp', ...CREATION, 'htlcVersion', 'senderPubKey']
const REQUESTS: Record<string, string[]> = {
  MsgRequestTransaction: [...ROUTE, 'amount', 'fee', ...HTLC, 'options'],
  MsgRequestSwapTransaction: [...ROUTE, ...SWAP, ...HTLC, 'options']
}

/** Field number of `txId` in the response to a request message (interface 8.6). */
const TX_ID = 3

export interface ChainMessage {
  tx: BlockTx
  typeUrl: string
  /** Undefined for a message that is neither a transfer nor a swap. */
  fields: Fields | undefined
  /** Undefined when the options contain no feeId. */
  feeId: string | undefined
  /** Whether the message sends coins from an account to itself, as the service does to consume a sequence. */
  isToItself: boolean
  /**
   * `refused`: an event rejected the message, or the transaction failed, possibly because of this message. `undone`:
   * the transaction failed because of another message.
   */
  outcome: 'executed' | 'refused' | 'undone'
  /** 0 when the response contains no txId. */
  txId: number
  /** The message's own events, without `msg_index`. */
  events: SubmissionEvent[]
  refusal: Refusal | undefined
}

/** By field number. */
function valuesOf(message: Uint8Array): Map<number, string> {
  const reader = new BinaryReader(message)
  const values = new Map<number, string>()
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag()
    if (wireType === 0) values.set(field, String(reader.uint64()))
    else if (wireType === 2) values.set(field, reader.string())
    else reader.skipType(wireType)
  }
  return values
}

function fieldsOf({ typeUrl, value }: Any): Fields | undefined {
  const names = REQUESTS[typeUrl.slice(typeUrl.lastIndexOf('.') + 1)]
  if (names === undefined) return undefined
  const values = valuesOf(value)
  return Object.fromEntries(names.map((name, index) => [name, values.get(index + 1) ?? '']))
}

function feeIdOf(fields: Fields | undefined): string | undefined {
  try {
    return JSON.parse(fields?.['options'] ?? '').feeId
  } catch {
    return undefined
  }
}

function isToItself({ typeUrl, value }: Any): boolean {
  if (typeUrl !== MsgSend.typeUrl) return false
  const { fromAddress, toAddress } = MsgSend.decode(value)
  return fromAddress === toAddress
}

/** SDK 0.47 writes events to the log, by message; SDK 0.50 appends `msg_index` to each event. */
function eventsOf({ log, events }: BlockTx, index: number): SubmissionEvent[] {
  if (log.startsWith('[')) {
    const logs: { msg_index?: number; events?: WrittenEvent[] | null }[] = JSON.parse(log)
    return (logs.find(({ msg_index = 0 }) => msg_index === index)?.events ?? []).map(readEvent)
  }
  return events.flatMap(({ type, attributes }) => {
    const last = attributes.at(-1)
    const isOwn = last?.key === 'msg_index' && last.value === String(index)
    return isOwn ? [{ type, attributes: attributes.slice(0, -1) }] : []
  })
}

/** Returns the rejection that an event reports, in the codespace of transfers (interface 8.8). */
function eventRefusal(events: SubmissionEvent[], txId: number): Refusal | undefined {
  const error = events.find(({ type }) => type === 'error')
  if (error === undefined || txId > 0) return undefined
  const { code, content = '' } = Object.fromEntries(error.attributes.map(({ key, value }) => [key, value]))
  return { code: Number(code), codespace: 'transaction', message: content }
}

type Result = Pick<ChainMessage, 'outcome' | 'txId' | 'events' | 'refusal'>

function resultOf(tx: BlockTx, response: Any | undefined, index: number): Result {
  if (tx.code === 0) {
    const txId = Number(valuesOf(response?.value ?? new Uint8Array()).get(TX_ID) ?? 0)
    const events = eventsOf(tx, index)
    const refusal = eventRefusal(events, txId)
    return { outcome: refusal ? 'refused' : 'executed', txId, events, refusal }
  }
  const [, named] = /^failed to execute message; message index: (\d+)/.exec(tx.log) ?? []
  const isOther = named !== undefined && Number(named) !== index
  const refusal = isOther ? undefined : { code: tx.code, codespace: tx.codespace, message: tx.log }
  return { outcome: isOther ? 'undone' : 'refused', txId: 0, events: [], refusal }
}

/** Returns a transaction's messages in order, and whether it is unordered. If so, it consumes no sequence. */
export function readMessages(tx: BlockTx): { messages: ChainMessage[]; unordered: boolean } {
  const { messages, unordered } = TxBody.decode(TxRaw.decode(tx.bytes).bodyBytes)
  const { msgResponses } = TxMsgData.decode(tx.data)
  return {
    unordered,
    messages: messages.map((message, index) => {
      const fields = fieldsOf(message)
      const own = { fields, feeId: feeIdOf(fields), isToItself: isToItself(message) }
      return { tx, typeUrl: message.typeUrl, ...own, ...resultOf(tx, msgResponses[index], index) }
    })
  }
}
