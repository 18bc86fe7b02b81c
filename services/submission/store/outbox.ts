import type { StatusRecord } from '../../status/record.ts'

/** What an event reports. */
export type EventType = 'submission.committed' | 'submission.rejected' | 'transfer.finished'

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

/** The key of an event: a submission has at most one of each type. */
export interface EventKey {
  submissionId: string
  type: EventType
}

/** An event that a replica has claimed, to deliver it. */
export interface OutboxEvent extends EventKey {
  /** The same for each attempt, and after the store was restored from a backup. */
  eventId: string
  /** The exact body, JSON. */
  payload: string
  /** By the store's time, in milliseconds since the epoch. */
  createdAt: number
  /** Attempts to deliver it, with the one that this claim begins: 1 for the first. It names the claim. */
  attempts: number
  /** How often an operator had asked for it again. An attempt counts only for what was asked before it began. */
  redeliveries: number
}

/** How an attempt ended. `problem` is a short text for the operator, without secrets. */
export type Delivery = Pick<OutboxEvent, 'submissionId' | 'type' | 'attempts' | 'redeliveries'> &
  (
    | { outcome: 'delivered' }
    /** Due again after that time. */
    | { outcome: 'postponed'; delayMs: number; problem: string }
    /** Not delivered again, unless an operator asks for it. Later events of the submission no longer wait for it. */
    | { outcome: 'given-up'; problem: string }
  )

/** A committed submission whose transfer or swap has not reached a final state. */
export interface WatchedTransfer {
  submissionId: string
  txId: number
  kind: RequestKind
  request: EventRequest
  /** When the submission was committed, by the store's time, in milliseconds since the epoch. */
  committedAt: number
}

/** The events that the receiver does not have yet. */
export interface Backlog {
  pending: number
  /** When the oldest of them was written, by the store's time; undefined when there is none. */
  oldestPendingAt: number | undefined
  givenUp: number
  /** Transfers that are watched now. */
  watched: number
}

/**
 * The events for the receiver of webhooks, in the store of the submissions. The event of a settled submission is written by
 * the transaction that settles it, so none is lost and none is invented. Every replica may claim: what is claimed is
 * reserved for 60 seconds, and due again afterwards if its claimant has died. Every method is one database transaction with
 * the rules of `SubmissionStore`; all of them may be repeated.
 */
export interface Outbox {
  /**
   * Reserves events that are due and have no undelivered earlier event of their submission. A damaged one is given up with
   * the damage as its problem, and so is the event of a damaged transfer.
   * @returns at most so many, those that have been due longest first
   */
  claim(limit: number): Promise<OutboxEvent[]>
  /**
   * Records how attempts ended. A delivery always counts, unless an operator has asked for the event again since; the other
   * outcomes only from the newest claim of the event.
   */
  record(deliveries: readonly Delivery[]): Promise<void>
  /**
   * Reserves transfers that are due. A transfer is watched from when the event of its committed submission was delivered or
   * given up, because its own event would have to wait for that one.
   */
  claimTransfers(limit: number): Promise<WatchedTransfer[]>
  /** Transfers that are not final yet are due again after that time. */
  postponeTransfers(submissionIds: readonly string[], delayMs: number): Promise<void>
  /** Writes `transfer.finished` and ends the watch, unless another replica did that before. */
  finish(finished: readonly { transfer: WatchedTransfer; record: StatusRecord }[]): Promise<void>
  /**
   * Makes due what would not be due for longer than any pause: the clock was wrong when it was put off (interface 23.15).
   * @param longestMs the longest pause
   */
  correctTimes(longestMs: number): Promise<void>
  backlog(): Promise<Backlog>
}
