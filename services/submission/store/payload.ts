import {
  createMessageTypes,
  type MessageType,
  type MsgRequestSwapTransaction,
  type MsgRequestTransaction
} from '../../messages/index.ts'
import type { StatusRecord } from '../../status/record.ts'
import { identitiesIn } from '../identities.ts'
import type { CommittedSubmission, RejectedSubmission } from '../types.ts'
import { viewOf } from '../view.ts'
import type { WatchedTransfer } from './outbox.ts'

/** What an event reports. */
export type EventType = (typeof EVENT_TYPES)[number]

export const EVENT_TYPES = ['submission.committed', 'submission.rejected', 'transfer.finished'] as const

/** Which kind of request a submission is. */
export type RequestKind = 'transfer' | 'swap'

/** The fields of a submitted request by which a shop recognizes its order. */
export interface EventRequest {
  /** The quote; missing where the request names none. */
  feeId?: string
  /** The payment; only of a rail. */
  transactionIdSeed?: string
  originChain: string
  originAddress: string
  originSymbol: string
  targetChain: string
  targetAddress: string
  targetSymbol: string
  /** Of a transfer; in whole tokens, as decimal text. So are the other amounts. */
  amount?: string
  /** Of a swap. */
  amountIn?: string
  /** Of a swap. */
  amountOut?: string
  fee: string
}

/** The key of an event of one receiver: a submission has at most one of each type. */
export interface EventKey {
  submissionId: string
  type: EventType
  /** The name of the receiver. Each has its own copy of an event, which is delivered and retried apart from the others. */
  receiver: string
}

/** Who gets which events. */
export interface Subscription {
  /** The name of the receiver. */
  receiver: string
  types: readonly EventType[]
}

/** The receiver where there is one only: it gets all events. */
export const ONLY_RECEIVER: Subscription = { receiver: 'default', types: EVENT_TYPES }

/** An event before it is copied for each receiver. */
export interface NewEvent extends Omit<EventKey, 'receiver'> {
  payload: string
  /** Whether another event follows once the transfer is final. Without a transaction id, nobody can know. */
  isWatched: boolean
}

/** A settled submission with its message. */
export interface SettledRequest {
  submission: CommittedSubmission | RejectedSubmission
  typeUrl: string
  message: Uint8Array
}

// The fields of a message are the same whatever the brand in its package is.
const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')

/**
 * `webhook-id`: from the key alone, so that a restored store sends an event again under the id that the receiver knows. All
 * receivers get the same id.
 */
export const eventIdOf = ({ submissionId, type }: Pick<EventKey, 'submissionId' | 'type'>): string =>
  `msg_${submissionId}_${type.slice(type.indexOf('.') + 1)}`

/** The event of a submission that was committed or rejected. */
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
 * The event of a transfer or swap that has reached a final state.
 * @param at when that was seen, in milliseconds since the epoch
 */
export function transferFinished(transfer: WatchedTransfer, record: StatusRecord, at: number): NewEvent {
  const type = 'transfer.finished'
  const { submissionId, txId, kind, request } = transfer
  const data = { kind, submissionId, txId, record, request }
  return { submissionId, type, payload: body(type, new Date(at).toISOString(), data), isWatched: false }
}

const body = (type: EventKey['type'], timestamp: string, data: object): string =>
  JSON.stringify({ type, timestamp, data })

/** The answer of `GET /submissions/:submissionId`, with its fields in the same order (interface 7.9). */
function stateOf(submission: CommittedSubmission | RejectedSubmission): object {
  const view = viewOf(submission)
  const { submissionId, status, transactionHash, height, createdAt, updatedAt } = submission
  return {
    submissionId,
    status,
    createdAt,
    updatedAt,
    ...(status === 'committed' && submission.txId !== undefined && { txId: submission.txId }),
    ...(transactionHash !== undefined && { transactionHash }),
    ...(height !== undefined && { height }),
    ...('error' in view && { error: view.error })
  }
}

function describe(typeUrl: string, message: Uint8Array): { kind: RequestKind; request: EventRequest } {
  if (typeUrl.endsWith('.MsgRequestSwapTransaction')) {
    const decoded = decode(requestSwapTransaction, message)
    const { amountIn, amountOut, fee } = decoded
    return { kind: 'swap', request: { ...recognizable(decoded), amountIn, amountOut, fee } }
  }
  const decoded = decode(requestTransaction, message)
  const { amount, fee } = decoded
  return { kind: 'transfer', request: { ...recognizable(decoded), amount, fee } }
}

/** A message that is damaged in the store must not keep its submission from being settled: its event lacks the fields. */
function decode<T>(type: MessageType<T>, message: Uint8Array): T {
  try {
    return type.decode(message)
  } catch {
    return type.fromPartial({})
  }
}

function recognizable(message: MsgRequestTransaction | MsgRequestSwapTransaction) {
  const { originChain, originAddress, originSymbol, targetChain, targetAddress, targetSymbol } = message
  const identities = identitiesIn(message)
  const feeId = identities.find(({ kind }) => kind === 'fee')?.value
  const transactionIdSeed = identities.find(({ kind }) => kind === 'payment')?.value
  return {
    ...(feeId !== undefined && { feeId }),
    ...(transactionIdSeed !== undefined && { transactionIdSeed }),
    originChain,
    originAddress,
    originSymbol,
    targetChain,
    targetAddress,
    targetSymbol
  }
}
