import { type Static, Type } from '@sinclair/typebox'
import { BTC } from '../../chains/families.ts'
import { createMessageTypes, type MessageType } from '../../messages/index.ts'
import { literals } from '../../schema-check.ts'
import type { StatusRecord } from '../../status/record.ts'
import type {
  CommittedSubmission,
  MessageKind,
  Notice,
  RejectedSubmission,
  RequestKind,
  SubmissionRequest
} from '../contract.ts'
import { BLOCKERS } from '../decide/blockers.ts'
import { optionsIn } from '../identities.ts'
import { viewOf } from '../view.ts'

/** Events for the operator, about the service. */
export const NOTICE_TYPES = ['wallet.low_balance', 'service.blocked', 'service.unblocked'] as const

export const EVENT_TYPES = [
  'submission.committed',
  'submission.rejected',
  'transfer.finished',
  ...NOTICE_TYPES
] as const

export const Kind = literals(['transfer', 'swap'])

const OptionalText = Type.Optional(Type.String())

/** The request fields by which a shop recognizes its order (interface 23.22). */
export const EventRequest = Type.Object({
  feeId: OptionalText,
  transactionIdSeed: OptionalText,
  originChain: Type.String(),
  originAddress: Type.String(),
  originSymbol: Type.String(),
  targetChain: Type.String(),
  targetAddress: Type.String(),
  targetSymbol: Type.String(),
  amount: OptionalText,
  amountIn: OptionalText,
  amountOut: OptionalText,
  fee: Type.String()
})

/** A submission has at most one event of each type. */
export const EventKey = Type.Object({
  submissionId: Type.String({ minLength: 1 }),
  type: literals(EVENT_TYPES)
})
export type EventKey = Static<typeof EventKey>

export interface NewEvent extends EventKey {
  payload: string
  /** Whether another event follows once the transfer is final. */
  isWatched: boolean
}

/** A committed submission whose transfer or swap is not final. */
export interface WatchedTransfer {
  submissionId: string
  txId: number
  kind: RequestKind
  request: Static<typeof EventRequest>
  /** In the store's time, in milliseconds. */
  committedAt: number
}

type SettledSubmission = CommittedSubmission | RejectedSubmission

// A message has the same fields under every brand.
const types = createMessageTypes('service')

const KINDS: Readonly<Record<string, MessageKind>> = {
  MsgRequestSwapTransaction: 'swap',
  MsgRequestHtlcLock: 'lock',
  MsgHtlcReclaim: 'reclaim'
}

/**
 * Returns the `webhook-id`. It depends only on the key, so that a restored store resends an event with the id that the
 * receiver has already seen.
 */
export const eventIdOf = ({ submissionId, type }: EventKey): string =>
  `msg_${submissionId}_${type.slice(type.indexOf('.') + 1)}`

/** Returns the submission of a `webhook-id`; undefined for any other string. */
export const submissionOfEvent = (eventId: string): string | undefined =>
  /^msg_([^\0]+)_(?:committed|rejected|finished)$/.exec(eventId)?.[1]

export function submissionSettled(
  submission: SettledSubmission,
  { typeUrl, message }: Pick<SubmissionRequest, 'typeUrl' | 'message'>
): NewEvent {
  const type = `submission.${submission.status}` as const
  const { kind, request } = contentOf(typeUrl, message)
  const data = { kind, submission: stateOf(submission), request }
  return {
    submissionId: submission.submissionId,
    type,
    payload: body(type, submission.updatedAt, data),
    // Without a transaction id, the transfer cannot be watched.
    isWatched: submission.status === 'committed' && submission.txId !== undefined
  }
}

/** @param at when the final state was detected, in milliseconds since the epoch */
export function transferFinished(
  transfer: Omit<WatchedTransfer, 'committedAt'>,
  record: StatusRecord,
  at: number
): NewEvent {
  const type = 'transfer.finished'
  const { submissionId, txId, kind, request } = transfer
  const data = { kind, submissionId, txId, record, request }
  return { submissionId, type, payload: body(type, new Date(at).toISOString(), data), isWatched: false }
}

/**
 * Creates the event of a notice. The start and the end of a blocker have the same key, so they are sent in order.
 * @param at in milliseconds since the epoch
 */
export function noticeOf({ type, kind, reason, since }: Notice, at: number): NewEvent {
  const { action } = BLOCKERS[kind]
  const data = { blocker: kind, since: new Date(since).toISOString(), reason, action }
  return {
    submissionId: `${kind}-${since}`,
    type,
    payload: body(type, new Date(at).toISOString(), data),
    isWatched: false
  }
}

const body = (type: EventKey['type'], timestamp: string, data: object): string =>
  JSON.stringify({ type, timestamp, data })

/** Returns the fields of the response to `GET /submissions/:submissionId`, in the same order (interface 7.9). */
function stateOf(submission: SettledSubmission): object {
  const { submissionId, status, transactionHash, height, createdAt, updatedAt } = submission
  const view = viewOf(submission)
  const error = 'error' in view ? view.error : undefined
  const txId = status === 'committed' ? submission.txId : undefined
  return { submissionId, status, createdAt, updatedAt, txId, transactionHash, height, error }
}

/** @param typeUrl of a submission's message */
export const kindOf = (typeUrl: string): MessageKind =>
  KINDS[typeUrl.slice(typeUrl.lastIndexOf('.') + 1)] ?? 'transfer'

/** Returns the fields of a message's request; none if the message is damaged. */
export function contentOf(
  typeUrl: string,
  message: Uint8Array
): { kind: MessageKind; request: Static<typeof EventRequest> } {
  const kind = kindOf(typeUrl)
  const decoded = fieldsOf(kind, message)
  const fields: Record<string, unknown> = { ...decoded, ...optionsIn(decoded) }
  const request = Object.keys(EventRequest.properties).map(name => [name, fields[name]])
  return { kind, request: Object.fromEntries(request) }
}

/** Returns the values by which operators and shops search for a submission. */
export function searchedIn(typeUrl: string, message: Uint8Array) {
  const fields = fieldsOf(kindOf(typeUrl), message)
  const { originAddress, targetAddress } = fields
  return { originAddress, targetAddress, transactionIdSeed: optionsIn(fields).transactionIdSeed }
}

/** Returns the lock of bitcoins that a transfer or swap uses. */
export function lockIn(typeUrl: string, message: Uint8Array) {
  const { originChain, originAddress, htlcCreationHash } = fieldsOf(kindOf(typeUrl), message)
  return originChain === BTC && htlcCreationHash !== ''
    ? { txHash: htlcCreationHash, senderAddress: originAddress }
    : undefined
}

const OF_LOCK = {
  ...types.requestTransaction.fromPartial({ fee: '0' }),
  originChain: BTC,
  originSymbol: BTC
}

/** Presents a lock, and its return, as a request of its sender without a target. */
function fieldsOf(kind: MessageKind, message: Uint8Array) {
  switch (kind) {
    case 'transfer':
      return decode(types.requestTransaction, message)
    case 'swap':
      return decode(types.requestSwapTransaction, message)
    case 'lock': {
      const { fromAddress: originAddress, amount } = decode(types.requestHtlcLock, message)
      return { ...OF_LOCK, originAddress, amount }
    }
    case 'reclaim':
      return {
        ...OF_LOCK,
        originAddress: decode(types.htlcReclaim, message).senderAddress,
        amount: undefined
      }
  }
}

/** Returns an empty message if the message is damaged, so that its submission can still settle. */
function decode<T>(type: MessageType<T>, message: Uint8Array): T {
  try {
    return type.decode(message)
  } catch {
    return type.fromPartial({})
  }
}
