import { backoffMs } from '../../async/backoff.ts'
import type { Simulation } from '../../chain-client/index.ts'
import type { Refusal } from '../contract.ts'
import type { Failure } from './block.ts'
import { failedMessageIndex, isWalletRefused, refusalOf, SDK_CODE } from './sdk-errors.ts'

// A batch that is refused for its content is halved, or its named message taken out, until one message is alone. That
// message is compared with the control message: a request by the wallet itself or, until that has passed twice in a row,
// a transfer from the wallet to itself. It is rejected only if the control message passes and the message fails.

/** The pause of a lone message before it is tried again. Doubles each time. */
const BACKOFF = { firstMs: 250, longestMs: 600_000 }

/** A message is rejected after failing alone this many times, each time after its simulation passed. */
const MAX_FAILURES_ALONE = 3

/** What earlier attempts showed of a message. The end of a leader's term discards it. */
export interface Evidence {
  /** The most messages in its next transaction; undefined unless it is a suspect. */
  together: number | undefined
  /** How many of its transactions have failed in blocks. Each failure raises the gas limit. */
  failures: number
  /** Whether a block or a node refused one of them as out of gas: the usual gas may be too little. */
  ranOutOfGas: boolean
  /** Failures alone, counted by kind, because each kind may be wrong for a different reason. */
  alone: { block: number; nodes: number }
  /** The reason to reject it, if the control passes. */
  refusal: Refusal | undefined
  backoffs: number
  /** When it may be tried again, on the monotonic clock. */
  until: number
}

const NOTHING_AGAINST = {
  together: undefined,
  failures: 0,
  ranOutOfGas: false,
  alone: { block: 0, nodes: 0 },
  refusal: undefined
}

export const NO_EVIDENCE: Evidence = { ...NOTHING_AGAINST, backoffs: 0, until: Number.NEGATIVE_INFINITY }

/** A batch that is tried again in two parts begins with the larger one. */
export const largerHalf = (messages: number): number => Math.ceil(messages / 2)

/** Postpones a message, because each attempt costs money or delays other messages. */
export function afterBackoff(evidence: Evidence, now: number): Evidence {
  const backoffs = evidence.backoffs + 1
  return { ...evidence, backoffs, until: now + backoffMs(backoffs, BACKOFF) }
}

/** Returns the evidence of a suspect after a simulation of so many messages failed, or got no response. */
export function afterSplit(evidence: Evidence, messages: number): Evidence {
  return { ...evidence, together: largerHalf(messages) }
}

/** Returns the evidence of a suspect after a transaction was refused or failed because of its content. */
export function afterFailure(evidence: Evidence, failure: Failure, now: number): Evidence {
  const { suspects, messages, refusal, by } = failure
  const failed = {
    ...evidence,
    together: suspects.length === 1 ? 1 : largerHalf(messages),
    failures: evidence.failures + Number(by === 'block'),
    ranOutOfGas: evidence.ranOutOfGas || (refusal.codespace === 'sdk' && refusal.code === SDK_CODE.outOfGas)
  }
  if (messages > 1) return failed
  // The mempool or the state of a single node may be the cause.
  if (by === 'node') return afterBackoff(failed, now)
  const alone = { ...evidence.alone, [by]: evidence.alone[by] + 1 }
  // These few attempts decide, so earlier backoffs for other reasons do not delay them.
  const counted = { ...failed, alone, backoffs: alone[by] - 1 }
  return alone[by] < MAX_FAILURES_ALONE ? afterBackoff(counted, now) : { ...counted, refusal }
}

/** Returns the evidence after another cause was found. A backoff in progress continues. */
export const cleared = (evidence: Evidence): Evidence => ({ ...evidence, ...NOTHING_AGAINST })

/** No usable response, or a response that is not about the messages. */
export interface Unavailable {
  status: 'unavailable'
  reason: string
  late: boolean
}

/** One node's simulated gas, which may include the gas of a control request in front of the message. */
export interface SimulatedGas {
  gasUsed: number
  node: string
  simulation: Simulation
}

export type Simulated =
  | ({ status: 'passed' } & SimulatedGas)
  | { status: 'failed'; node: string; code: number; codespace: string; log: string }
  | Unavailable

/** The chain refuses the control, so no user's message is the cause (interface 7.16, 17.4). */
export interface Blocked {
  status: 'blocked'
  kind: 'wallet-not-whitelisted' | 'requests-refused'
  reason: string
}

/**
 * `unproven`: the chain refuses the control request, which has never passed, and also the transfer. It may still accept
 * requests, for example if gas is free and the wallet has no funds.
 */
export type ControlResult =
  | { status: 'passed'; node: string; gasUsed: number }
  | Blocked
  | Unavailable
  | { status: 'unproven'; reason: string }

/** Responses to the wallet's own messages, in order. */
export interface ControlResponses {
  request: readonly Simulated[]
  transfer?: Simulated
}

export type ControlMove =
  | { do: 'ask'; about: keyof ControlResponses }
  /** `isProven`: the control request has passed twice. */
  | { do: 'judge'; result: ControlResult; isProven: boolean }

/** Decides whether the chain accepts the wallet's own requests. */
export function controlMove(
  { request, transfer }: ControlResponses,
  { address, controlPassed }: { address: string; controlPassed: boolean }
): ControlMove {
  const last = request.at(-1)
  // A node may be wrong once, so the first pass is confirmed.
  const isFirstPass = !controlPassed && request.length === 1 && last?.status === 'passed'
  if (!last || isFirstPass) return { do: 'ask', about: 'request' }
  // The control request's content may be at fault. Any healthy account can send a transfer.
  const isInvalid = !controlPassed && last.status === 'failed' && !isWalletRefused(last.log, address)
  if (isInvalid && !transfer) return { do: 'ask', about: 'transfer' }
  const response = transfer ?? last
  const isProven = !controlPassed && last.status === 'passed'
  if (response.status !== 'failed') return { do: 'judge', result: response, isProven }
  const reason = response.log
  if (isWalletRefused(reason, address))
    return { do: 'judge', result: { status: 'blocked', kind: 'wallet-not-whitelisted', reason }, isProven }
  const result: ControlResult = controlPassed
    ? { status: 'blocked', kind: 'requests-refused', reason }
    : { status: 'unproven', reason }
  return { do: 'judge', result, isProven }
}

/** Responses to the simulations of a batch, and of the message that seems to be at fault. */
export interface Responses {
  batch: Simulated
  /** The control request and the message in one transaction, so that both run against the same state. */
  pair?: Simulated
  /** The control before and after the message alone. */
  before?: ControlResult
  alone?: Simulated
  after?: ControlResult
}

export type Verdict =
  /** @param index of the message that seems to be at fault */
  | { do: 'ask'; about: 'pair' | 'before' | 'alone' | 'after'; index: number }
  | { do: 'sign'; simulated: Extract<Simulated, { status: 'passed' }> }
  /** A message fails, but it is unknown which one. */
  | { do: 'split' }
  /** The chain refuses this message, regardless of the rest of the transaction. */
  | { do: 'reject'; index: number; refusal: Refusal }
  | ({ do: 'pause' } & Omit<Blocked, 'status'>)
  | ({ do: 'retry' } & Omit<Unavailable, 'status'>)

/**
 * Without a control that passes, nothing is known of a message. If the chain may still accept requests, a batch is split, so
 * that a lone message waits and its companions do not.
 */
function stoppedBy(control: Exclude<ControlResult, { status: 'passed' }>, isBatch: boolean): Verdict {
  const { status, reason } = control
  if (status === 'blocked') return { do: 'pause', kind: control.kind, reason }
  if (status === 'unproven' && isBatch) return { do: 'split' }
  return { do: 'retry', reason, late: status === 'unavailable' && control.late }
}

/**
 * Decides what the simulation of a batch says of its messages.
 * @param isPair whether the second of two messages depends on the first: alone, it would be refused
 */
export function verdictOf(messages: number, said: Responses, isPair = false): Verdict {
  const { batch, pair, before, alone, after } = said
  const isBatch = messages > 1
  /** A response that is not a failure. A part that passes proves that the cause is gone or lies in other messages. */
  const unlessFailed = (response: Exclude<Simulated, { status: 'failed' }>, isPart: boolean): Verdict => {
    if (response.status === 'unavailable')
      return { do: 'retry', reason: response.reason, late: response.late }
    return isPart && isBatch ? { do: 'split' } : { do: 'sign', simulated: response }
  }
  if (batch.status !== 'failed') return unlessFailed(batch, false)
  const named = failedMessageIndex(batch.log, messages)
  if (isPair && named === 1) return { do: 'split' }
  if (named !== undefined) {
    if (!pair) return { do: 'ask', about: 'pair', index: named }
    if (pair.status !== 'failed') return unlessFailed(pair, true)
    if (failedMessageIndex(pair.log, 2) === 1) return { do: 'reject', index: named, refusal: refusalOf(pair) }
  }
  const index = named ?? (isBatch ? undefined : 0)
  if (!before) return { do: 'ask', about: 'before', index: index ?? 0 }
  // Without this check, a paused chain would halve batches down to single messages.
  if (before.status !== 'passed') return stoppedBy(before, isBatch)
  if (index === undefined) return { do: 'split' }
  // A refusal counts only if the same node accepts the control before and after it.
  if (!alone) return { do: 'ask', about: 'alone', index }
  if (alone.status !== 'failed') return unlessFailed(alone, true)
  if (!after) return { do: 'ask', about: 'after', index }
  if (after.status !== 'passed') return stoppedBy(after, isBatch)
  if (before.node !== alone.node || after.node !== alone.node)
    return { do: 'retry', reason: 'the responses came from several nodes', late: false }
  return { do: 'reject', index, refusal: refusalOf(alone) }
}
