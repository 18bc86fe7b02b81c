import { type Static, Type } from '@sinclair/typebox'
import { createMessageTypes, type MessageType } from '../../messages/index.ts'
import type { StatusRecord } from '../../status/record.ts'
import { identitiesIn } from '../identities.ts'
import type { CommittedSubmission, RejectedSubmission } from '../types.ts'
import { viewOf } from '../view.ts'
import type { WatchedTransfer } from './outbox.ts'

const EventType = Type.Union([
  Type.Literal('submission.committed'),
  Type.Literal('submission.rejected'),
  Type.Literal('transfer.finished')
])
export type EventType = Static<typeof EventType>

export const EVENT_TYPES: readonly EventType[] = EventType.anyOf.map(({ const: type }) => type)

/** The kind of a submission's request. */
export const RequestKind = Type.Union([Type.Literal('transfer'), Type.Literal('swap')])
export type RequestKind = Static<typeof RequestKind>

const OptionalText = Type.Optional(Type.String())

/** The request fields by which a shop recognizes its order. Amounts are decimal strings in whole tokens. */
export const EventRequest = Type.Object({
  /** The id of the quote; missing if the request has none. */
  feeId: OptionalText,
  /** The identifier of the card or bank payment; missing if there is no such payment. */
  transactionIdSeed: OptionalText,
  originChain: Type.String(),
  originAddress: Type.String(),
  originSymbol: Type.String(),
  targetChain: Type.String(),
  targetAddress: Type.String(),
  targetSymbol: Type.String(),
  /** Transfers only. */
  amount: OptionalText,
  /** Swaps only. */
  amountIn: OptionalText,
  /** Swaps only. */
  amountOut: OptionalText,
  fee: Type.String()
})
export type EventRequest = Static<typeof EventRequest>

/** The key of one receiver's event. A submission has at most one event of each type. */
export const EventKey = Type.Object({
  submissionId: Type.String({ minLength: 1 }),
  type: EventType,
  /** The name of the receiver. Each receiver has its own copy of an event, delivered and retried independently. */
  receiver: Type.String({ minLength: 1 })
})
export type EventKey = Static<typeof EventKey>

/** The event types that a receiver gets. */
export interface Subscription {
  /** The name of the receiver. */
  receiver: string
  types: readonly EventType[]
}

/** The receiver of all events if no other receivers are configured. */
export const ONLY_RECEIVER: Subscription = { receiver: 'default', types: EVENT_TYPES }

/** An event before it is copied for each receiver. */
export interface NewEvent extends Omit<EventKey, 'receiver'> {
  payload: string
  /**
   * Whether another event follows once the transfer is final. Without a transaction id, the transfer cannot be watched.
   */
  isWatched: boolean
}

/** A settled submission with its message. */
export interface SettledRequest {
  submission: CommittedSubmission | RejectedSubmission
  typeUrl: string
  message: Uint8Array
}

// A message has the same fields under every brand.
const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')

/**
 * Returns the `webhook-id`. It depends only on the key, so that a restored store resends an event with the id that the
 * receiver has already seen. All receivers get the same id.
 */
export const eventIdOf = ({ submissionId, type }: Pick<EventKey, 'submissionId' | 'type'>): string =>
  `msg_${submissionId}_${type.slice(type.indexOf('.') + 1)}`

/** Builds the event of a committed or rejected submission. */
export function submissionSettled({ submission, typeUrl, message }: SettledRequest): NewEvent {
  const type = `submission.${submission.status}` as const
  const { kind, request } = describe(typeUrl, message)
  const data = { kind, submission: stateOf(submission), request }
  return {
    submissionId: submission.submissionId,
    type,
    payload: body(type, submission.updatedAt, data),
    isWatched: submission.status === 'committed' && submission.txId !== undefined
  }
}

/**
 * Builds the event of a transfer or swap that has reached a final state.
 * @param at when the final state was detected, in milliseconds since the epoch
 */
export function transferFinished(transfer: WatchedTransfer, record: StatusRecord, at: number): NewEvent {
  const type = 'transfer.finished'
  const { submissionId, txId, kind, request } = transfer
  const data = { kind, submissionId, txId, record, request }
  return { submissionId, type, payload: body(type, new Date(at).toISOString(), data), isWatched: false }
}

const body = (type: EventKey['type'], timestamp: string, data: object): string =>
  JSON.stringify({ type, timestamp, data })

/** Returns the same fields, in the same order, as the response to `GET /submissions/:submissionId` (interface 7.9). */
function stateOf(submission: CommittedSubmission | RejectedSubmission): object {
  const { submissionId, status, transactionHash, height, createdAt, updatedAt } = submission
  const view = viewOf(submission)
  const error = 'error' in view ? view.error : undefined
  const txId = status === 'committed' ? submission.txId : undefined
  return { submissionId, status, createdAt, updatedAt, txId, transactionHash, height, error }
}

function describe(typeUrl: string, message: Uint8Array): { kind: RequestKind; request: EventRequest } {
  const isSwap = typeUrl.endsWith('.MsgRequestSwapTransaction')
  const decoded = isSwap ? decode(requestSwapTransaction, message) : decode(requestTransaction, message)
  const { originChain, originAddress, originSymbol, targetChain, targetAddress, targetSymbol, fee } = decoded
  const parties = { originChain, originAddress, originSymbol, targetChain, targetAddress, targetSymbol }
  const identities = new Map(identitiesIn(decoded).map(({ kind, value }) => [kind, value]))
  const [feeId, transactionIdSeed] = [identities.get('fee'), identities.get('payment')]
  return {
    kind: isSwap ? 'swap' : 'transfer',
    request: {
      ...(feeId !== undefined && { feeId }),
      ...(transactionIdSeed !== undefined && { transactionIdSeed }),
      ...parties,
      ...('amount' in decoded
        ? { amount: decoded.amount }
        : { amountIn: decoded.amountIn, amountOut: decoded.amountOut }),
      fee
    }
  }
}

/**
 * Decodes a message. Returns an empty message if it is damaged, so that its submission can still settle. The event then
 * lacks the request's data.
 */
function decode<T>(type: MessageType<T>, message: Uint8Array): T {
  try {
    return type.decode(message)
  } catch {
    return type.fromPartial({})
  }
}
