import { backoffMs } from '../../async/backoff.ts'
import type { Simulation, SimulationResult } from '../../chain-client/index.ts'
import { shorten } from '../../errors/shown.ts'
import type { Refusal } from '../contract.ts'
import {
  expectedSequence,
  failedMessageIndex,
  isWalletRefused,
  refusalKindOf,
  refusalOf
} from './sdk-errors.ts'

// A batch that is refused for its content is halved, or the message that failed is taken out, until one is alone. That
// message is compared with the control message: a request by the wallet itself or, until that has passed twice in a row,
// a transfer from the wallet to itself. It is rejected only if the control message passes and the message fails.

/** The pauses before a lone message is tried again. Each is twice the last one. */
const BACKOFF = { firstMs: 250, longestMs: 600_000 }

/**
 * A message is rejected after failing alone this many times, each time after its simulation passed. The refusals by the
 * only node that responds take about 17 minutes. They must end, because each attempt costs the fee of a transfer.
 */
const MAX_FAILURES_ALONE = { block: 3, nodes: 3, onlyNode: 13 }

/** A transaction that was refused or failed because of its content. */
export interface Failure {
  suspects: readonly string[]
  /** The number of all messages in the transaction. */
  messages: number
  refusal: Refusal
  /**
   * `block`: it failed in a block. `nodes`: two nodes, or the only one twice, refuse it, or agree that it needs more gas
   * than a transaction may. `onlyNode`: CheckTx of the only node that responds refuses it. `node`: CheckTx of one node
   * refuses it, and another one does not.
   */
  by: 'block' | 'nodes' | 'onlyNode' | 'node'
}

/** The evidence about a message from earlier attempts. It is discarded when the leader's term ends. */
export interface Evidence {
  /** The maximum number of messages in its next transaction if it is a suspect, otherwise undefined. */
  maxBatch: number | undefined
  /** How many of its transactions have failed in blocks. Each failure raises the gas limit. */
  failures: number
  /** Whether a block or a node refused one of its transactions as out of gas: the usual gas may be too little. */
  ranOutOfGas: boolean
  /** Failures alone, counted by kind, because each kind may be wrong for a different reason. */
  alone: Record<keyof typeof MAX_FAILURES_ALONE, number>
  /** The reason to reject it, if the control passes. */
  refusal: Refusal | undefined
  backoffs: number
  /** When it may be tried again, on the monotonic clock. */
  until: number
}

const NOTHING_AGAINST = {
  maxBatch: undefined,
  failures: 0,
  ranOutOfGas: false,
  alone: { block: 0, nodes: 0, onlyNode: 0 },
  refusal: undefined
}

export const NO_EVIDENCE: Evidence = { ...NOTHING_AGAINST, backoffs: 0, until: Number.NEGATIVE_INFINITY }

/** Returns whether a block has shown that the message fails, and not because of too little gas. */
export const hasFailedAlone = ({ alone, ranOutOfGas }: Evidence): boolean => alone.block > 0 && !ranOutOfGas

/** Returns the size of the larger half, with which a batch that is split begins. */
export const largerHalf = (messages: number): number => Math.ceil(messages / 2)

/** Postpones a lone message, which stays alone: each attempt costs money or delays other messages. */
export function afterBackoff(evidence: Evidence, now: number): Evidence {
  const backoffs = evidence.backoffs + 1
  return { ...evidence, maxBatch: 1, backoffs, until: now + backoffMs(backoffs, BACKOFF) }
}

/** Returns the evidence of a suspect after the simulation of a batch of this size failed. */
export function afterSplit(evidence: Evidence, messages: number): Evidence {
  return { ...evidence, maxBatch: largerHalf(messages) }
}

/** Returns the evidence of a suspect after a transaction was refused or failed because of its content. */
export function afterFailure(evidence: Evidence, failure: Failure, now: number): Evidence {
  const { suspects, messages, refusal, by } = failure
  const kind = refusalKindOf({ ...refusal, log: refusal.message }, '')
  const failed = {
    ...evidence,
    maxBatch: suspects.length === 1 ? 1 : largerHalf(messages),
    failures: evidence.failures + Number(by === 'block'),
    ranOutOfGas: evidence.ranOutOfGas || kind === 'out-of-gas'
  }
  if (messages > 1) return failed
  // The mempool or the state of a single node may be the cause.
  if (by === 'node') return afterBackoff(failed, now)
  const alone = { ...evidence.alone, [by]: evidence.alone[by] + 1 }
  // The few attempts before a rejection must not be delayed by earlier backoffs for other reasons. For the gas limit,
  // backoffs continue to count, because `excessMove` uses their number.
  const backoffs = kind === 'too-much-gas' ? evidence.backoffs : alone[by] - 1
  const counted = { ...failed, alone, backoffs }
  return alone[by] < MAX_FAILURES_ALONE[by] ? afterBackoff(counted, now) : { ...counted, refusal }
}

/** Returns the evidence after another cause was found. A backoff in progress continues. */
export const withoutSuspicion = (evidence: Evidence): Evidence => ({ ...evidence, ...NOTHING_AGAINST })

/** No usable response, or a response that is not about the messages. */
export interface Unavailable {
  status: 'unavailable'
  reason: string
  timedOut: boolean
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

/**
 * The chain refuses the control, so no user's message is the cause (interface 7.16, 17.4). Everything stops only if the
 * chain refuses the wallet itself. Otherwise the chain may still accept requests. For instance, an upgrade may have made
 * the control request's content invalid. Or that request has never passed, and the wallet has no funds for the control
 * transfer because gas is free.
 */
export interface RefusedControl {
  status: 'refused'
  kind: 'wallet-not-whitelisted' | 'requests-refused' | 'simulations-refused'
  reason: string
}

export interface PassedControl {
  status: 'passed'
  node: string
  gasUsed: number
  /** Why the control request, which has never passed, was refused. Only the transfer passed. */
  requestRefusal?: string | undefined
}

export type ControlResult = PassedControl | RefusedControl | Unavailable

/** Returns whether the chain refuses all requests of the wallet. */
export const isShutOut = (control: ControlResult): control is RefusedControl =>
  control.status === 'refused' && control.kind === 'wallet-not-whitelisted'

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
  const requestRefusal = transfer && last.status === 'failed' ? last.log : undefined
  if (response.status === 'passed') return { do: 'judge', result: { ...response, requestRefusal }, isProven }
  if (response.status === 'unavailable') return { do: 'judge', result: response, isProven }
  const reason = response.log
  const others = controlPassed ? 'requests-refused' : 'simulations-refused'
  const kind = isWalletRefused(reason, address) ? 'wallet-not-whitelisted' : others
  return { do: 'judge', result: { status: 'refused', kind, reason }, isProven }
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
  /** Whether two nodes, or the only configured one, fail the message in the same way, or a block has. */
  isConfirmed?: boolean
}

export type Verdict =
  /** @param index of the message that seems to be at fault */
  | { do: 'ask'; about: 'pair' | 'before' | 'alone' | 'after' | 'otherNodes'; index: number }
  | { do: 'sign'; simulated: Extract<Simulated, { status: 'passed' }> }
  /** A message fails, but it is unknown which one. */
  | { do: 'split'; control?: RefusedControl }
  /** The chain refuses this message, regardless of the rest of the transaction. */
  | { do: 'reject'; index: number; refusal: Refusal }
  /** Only this message waits: of several nodes, one alone refuses it, or the control is refused as well. */
  | { do: 'postpone'; index: number; reason: string; control?: RefusedControl }
  | { do: 'pause'; control: RefusedControl }
  | ({ do: 'retry' } & Omit<Unavailable, 'status'>)

/**
 * Unless the control passes, a failure proves nothing about a message. If the chain may still accept requests, a batch
 * is split, so that only a lone message waits.
 */
function stoppedBy(control: Exclude<ControlResult, { status: 'passed' }>, isBatch: boolean): Verdict {
  const { reason } = control
  if (control.status === 'unavailable') return { do: 'retry', reason, timedOut: control.timedOut }
  if (isShutOut(control)) return { do: 'pause', control }
  return isBatch ? { do: 'split', control } : { do: 'postpone', index: 0, reason, control }
}

/**
 * Decides what the simulation of a batch means for its messages.
 * @param isPair whether the second of two messages depends on the first: alone, it would be refused
 */
export function verdictOf(messages: number, said: Responses, isPair = false): Verdict {
  const { batch, pair, before, alone, after } = said
  const isBatch = messages > 1
  /**
   * Handles a response other than a failure. If part of the batch passes, the cause is gone or in the other messages.
   */
  const unlessFailed = (response: Exclude<Simulated, { status: 'failed' }>, isPart: boolean): Verdict => {
    if (response.status === 'unavailable')
      return { do: 'retry', reason: response.reason, timedOut: response.timedOut }
    return isPart && isBatch ? { do: 'split' } : { do: 'sign', simulated: response }
  }
  const rejected = (index: number, failed: Extract<Simulated, { status: 'failed' }>): Verdict => {
    if (said.isConfirmed === undefined) return { do: 'ask', about: 'otherNodes', index }
    if (said.isConfirmed) return { do: 'reject', index, refusal: refusalOf(failed) }
    return { do: 'postpone', index, reason: `only ${failed.node} refuses it: ${shorten(failed.log)}` }
  }
  if (batch.status !== 'failed') return unlessFailed(batch, false)
  const named = failedMessageIndex(batch.log, messages)
  if (isPair && named === 1) return { do: 'split' }
  if (named !== undefined) {
    if (!pair) return { do: 'ask', about: 'pair', index: named }
    if (pair.status !== 'failed') return unlessFailed(pair, true)
    if (failedMessageIndex(pair.log, 2) === 1) return rejected(named, pair)
  }
  const index = named ?? (isBatch ? undefined : 0)
  if (!before) return { do: 'ask', about: 'before', index: index ?? 0 }
  if (before.status !== 'passed') return stoppedBy(before, isBatch)
  if (index === undefined) return { do: 'split' }
  // A refusal counts only if the same node accepts the control before and after it.
  if (!alone) return { do: 'ask', about: 'alone', index }
  if (alone.status !== 'failed') return unlessFailed(alone, true)
  if (!after) return { do: 'ask', about: 'after', index }
  if (after.status !== 'passed') return stoppedBy(after, isBatch)
  if (before.node !== alone.node || after.node !== alone.node)
    return { do: 'retry', reason: 'the responses came from several nodes', timedOut: false }
  // The chain may refuse all requests for a while, and have begun or ended to do so between two of these checks.
  const ofPair = pair?.status === 'failed' && failedMessageIndex(pair.log, 2) === 0 ? [pair.log] : []
  const refusals = [before.requestRefusal, after.requestRefusal, ...ofPair]
  const [first, ...others] = refusals.map(log => log && withoutNumbers(log))
  const hasChanged = others.some(other => other !== first)
  const reason = refusals.find(log => log !== undefined)
  if (reason !== undefined && (hasChanged || first === withoutNumbers(alone.log)))
    return stoppedBy({ status: 'refused', kind: 'simulations-refused', reason }, isBatch)
  return rejected(index, alone)
}

/** The index of the message and the gas used differ although the reason is the same. */
const withoutNumbers = (log: string) => log.replaceAll(/\d+/g, '')

/**
 * Returns whether two nodes fail a transaction at the same message. Their codes prove nothing: all simulation errors
 * have the same.
 */
export function isSameFailure(one: SimulationResult, other: SimulationResult, messages: number): boolean {
  if (one.status !== 'failed' || other.status !== 'failed') return false
  const isOfMessage = [one, other].every(({ log }) => expectedSequence(log) === undefined)
  return isOfMessage && failedMessageIndex(one.log, messages) === failedMessageIndex(other.log, messages)
}
