import type { QueuedMessage } from '../contract.ts'
import { gasCap, gasLimitFor, MAX_TRANSACTION_GAS } from './fees.ts'
import { type Evidence, largerHalf } from './verdict.ts'

export const MAX_MESSAGES = 100

/** The maximum size of a transaction's messages, with their overhead. */
const MAX_BYTES = 100_000

/** The tags, lengths and type URL of a message's Any. */
const MESSAGE_OVERHEAD_BYTES = 100

/** The signature, the fee and the signer's key. */
const TRANSACTION_OVERHEAD_BYTES = 400

/** A transaction may use a quarter of a block: other accounts use the block too, and the header needs space. */
const BLOCK_SHARE = 4

/** In total, the open slots may use two blocks: one that is being made, and one that comes next. */
const MAX_OPEN_BLOCKS = 2

/** The maximum number of open slots, because a node rechecks every pending transaction after each block. */
export const MAX_OPEN_SLOTS = 64

/**
 * How long a batch waits for more messages: longer with each open slot, because every transaction costs the node, the
 * wallet and this process work. Without open slots, a submission is sent immediately.
 */
const GATHER_MS_PER_SLOT = 2
const MAX_GATHER_MS = 50

/** The gas and bytes that a transaction uses, or that a block has. */
export interface Size {
  gas: number
  bytes: number
}

export interface BatchKnowledge {
  evidenceOf(submissionId: string): Pick<Evidence, 'maxBatch'>
  /** The open slots, in order. */
  open: readonly Size[]
  /** The number of messages that a node probably simulates in time. */
  maxMessages: number
  block: Size
  /** The highest gas limit that the chain accepts for a transaction, as learned from refusals. */
  ceiling: number
  /** The gas limit that a message usually needs; undefined before the first transaction. */
  gasPerMessage: number | undefined
  /** When the last slot was opened, on the monotonic clock. */
  lastSignedAt: number
  /** When the first postponed message may be tried again. */
  nextDue: number
  /** The current time, on the same clock. */
  now: number
}

export type BatchMove =
  /** `gas`: the maximum that the transaction may request, unless it has only one message. */
  | { do: 'pack'; batch: readonly QueuedMessage[]; gas: number }
  /** Infinity: until something changes. */
  | { do: 'wait'; ms: number }

/** Returns the messages that wait for no other submission. */
export const dueOf = (queued: readonly QueuedMessage[]): QueuedMessage[] =>
  queued.filter(({ waitsFor }) => waitsFor === undefined)

/**
 * Returns the messages that may share a transaction with the one that they wait for, by its id. A pair that was refused
 * is separated, so that each message is judged by itself: the second one once the first is executed.
 */
function followersOf(queued: readonly QueuedMessage[], { evidenceOf }: BatchKnowledge) {
  const isFresh = (submissionId: string) => evidenceOf(submissionId).maxBatch === undefined
  return new Map(
    queued
      .filter(
        ({ submissionId, waitsFor }) => waitsFor !== undefined && isFresh(waitsFor) && isFresh(submissionId)
      )
      .map(message => [message.waitsFor, message])
  )
}

/**
 * Decides which queued messages go into the next transaction: the longest run that fits into the space that the open
 * slots leave in a block. A suspect, which is a message that may have caused a failure, shares a transaction only with
 * suspects that have the same maximum, which isolates the cause. A message and the one that waits for it have a
 * transaction of their own.
 * @param queued in order, without postponed messages; at least 100 if the queue has as many
 */
export function nextBatch(queued: readonly QueuedMessage[], known: BatchKnowledge): BatchMove {
  const { evidenceOf, nextDue, now } = known
  const due = dueOf(queued)
  const [first, ...others] = due
  if (!first) return { do: 'wait', ms: nextDue - now }
  const room = roomFor(first, known)
  if (!room) return { do: 'wait', ms: Number.POSITIVE_INFINITY }
  const maxBatch = evidenceOf(first.submissionId).maxBatch
  const most = Math.min(
    maxBatch ?? MAX_MESSAGES,
    known.maxMessages,
    Math.floor(room.gas / (known.gasPerMessage ?? 1))
  )
  const followers = followersOf(queued, known)
  const follower = followers.get(first.submissionId)
  if (follower) {
    const fits = most > 1 && bytesOf(first) + bytesOf(follower) <= room.bytes
    return { do: 'pack', batch: fits ? [first, follower] : [first], gas: room.gas }
  }
  const batch = [first]
  let bytes = bytesOf(first)
  for (const message of others) {
    bytes += bytesOf(message)
    const isAlike = evidenceOf(message.submissionId).maxBatch === maxBatch
    if (batch.length >= most || bytes > room.bytes || !isAlike || followers.has(message.submissionId)) break
    batch.push(message)
  }
  const isFull = batch.length < due.length || batch.length >= known.maxMessages
  const ms = isFull ? 0 : gatherMs(known)
  return ms > 0 ? { do: 'wait', ms } : { do: 'pack', batch, gas: room.gas }
}

const bytesOf = ({ message }: QueuedMessage) => message.length + MESSAGE_OVERHEAD_BYTES

function gatherMs({ open, lastSignedAt, now }: BatchKnowledge): number {
  return lastSignedAt + Math.min(open.length * GATHER_MS_PER_SLOT, MAX_GATHER_MS) - now
}

/**
 * Returns the maximum gas and bytes of the messages in the next transaction; undefined if the open slots already use
 * enough.
 */
function roomFor(first: QueuedMessage, known: BatchKnowledge): Size | undefined {
  const { open, block, ceiling, gasPerMessage } = known
  const used = (what: keyof Size) => open.reduce((total, size) => total + size[what], 0)
  const isEnough = (what: keyof Size) => used(what) >= MAX_OPEN_BLOCKS * block[what]
  if (open.length >= MAX_OPEN_SLOTS || isEnough('gas') || isEnough('bytes')) return undefined
  const most: Size = {
    gas: Math.min(Math.floor(block.gas / BLOCK_SHARE), MAX_TRANSACTION_GAS, ceiling),
    bytes: Math.min(Math.floor(block.bytes / BLOCK_SHARE), MAX_BYTES)
  }
  const left = leftOf(block, open)
  const bytesLeft = left.bytes - TRANSACTION_OVERHEAD_BYTES
  if (left.gas < (gasPerMessage ?? most.gas) || bytesLeft < bytesOf(first)) return most
  return { gas: Math.min(left.gas, most.gas), bytes: Math.min(bytesLeft, most.bytes) }
}

/**
 * Returns the room left in the last block that the open slots fill. The first transaction that does not fit begins the
 * next block.
 */
function leftOf(block: Size, open: readonly Size[]): Size {
  let left = block
  for (const { gas, bytes } of open) {
    const from = gas <= left.gas && bytes <= left.bytes ? left : block
    left = { gas: from.gas - gas, bytes: from.bytes - bytes }
  }
  return left
}

export interface SimulatedBatch {
  messages: number
  /** The estimated gas of the batch. */
  gasUsed: number
  /** How often its first message has failed in a block. */
  failures: number
}

/** The gas limits of a transaction, in addition to the configured caps. */
export interface TransactionLimits {
  /** The maximum that `nextBatch` returned. */
  budget: number
  /** The maximum gas of a block, as agreed by nodes. */
  block: number
  /** The highest gas limit that the chain accepts for a lone message, as learned from refusals. */
  loneCeiling: number
}

export type GasMove =
  | { do: 'sign'; gasLimit: number }
  /** Simulate only the first messages. */
  | { do: 'shrink'; messages: number }
  /**
   * A lone message may need more gas than a transaction may request: `excessMove` decides. `most`: the highest gas
   * limit that the chain accepts, as learned from refusals. `limit`: the same without the refusals, which may be wrong
   * or outdated. `exceedsLimit`: whether the message needs more than `limit`.
   */
  | { do: 'exceeds'; most: number; limit: number; exceedsLimit: boolean }

/** Decides whether a simulated batch fits, and the gas limit of its transaction. */
export function gasMove(
  { messages, gasUsed, failures }: SimulatedBatch,
  { budget, block, loneCeiling }: TransactionLimits
): GasMove {
  const asked = Math.min(gasLimitFor(gasUsed, failures), gasCap(messages))
  if (messages > 1) {
    if (gasUsed > asked) return { do: 'shrink', messages: largerHalf(messages) }
    if (asked <= budget) return { do: 'sign', gasLimit: asked }
    return { do: 'shrink', messages: Math.max(1, Math.floor((messages * budget) / asked)) }
  }
  // A lone message may request the gas of a whole block.
  const limit = Math.min(asked, block)
  const most = Math.min(limit, loneCeiling)
  const wants = failures > 0 ? limit : gasUsed
  if (gasUsed <= most && wants <= most) return { do: 'sign', gasLimit: most }
  return { do: 'exceeds', most, limit, exceedsLimit: gasUsed > limit }
}

/**
 * A message that only one of several nodes refuses is postponed this many times, about 8 seconds in all. Then a block
 * decides.
 */
const MAX_POSTPONEMENTS = 5

/** Decides what happens to a lone message whose simulation only one of several nodes refuses, with the usual gas. */
export function unconfirmedMove(
  { backoffs, failures }: Pick<Evidence, 'backoffs' | 'failures'>,
  gasPerMessage: number
): { do: 'postpone' } | { do: 'sign'; gasLimit: number } {
  if (backoffs < MAX_POSTPONEMENTS) return { do: 'postpone' }
  return { do: 'sign', gasLimit: Math.min(gasLimitFor(Math.ceil(gasPerMessage), failures), gasCap(1)) }
}

export interface Excess {
  most: number
  limit: number
  /** Whether two nodes agree on the message's gas. */
  isConfirmed: boolean
  /** How often the message was postponed. */
  backoffs: number
  /** The gas of the control; undefined if the chain refuses the control, but not the wallet. */
  controlGas: number | undefined
}

export type ExcessMove =
  /** The gas figures are wrong for the control too, so no message is the cause. */
  | { do: 'raise' }
  | { do: 'postpone' }
  | { do: 'sign'; gasLimit: number }
  /** Counts against the message. */
  | { do: 'fail' }

/**
 * Decides what happens to a lone message that needs too much gas. The gas figure of one node cannot get a message
 * rejected: after some postponements, a block decides. The first of these transactions requests up to `limit`, because
 * the refusals that lowered `most` may have been wrong.
 */
export function excessMove({ most, limit, isConfirmed, backoffs, controlGas }: Excess): ExcessMove {
  if (controlGas === undefined) return { do: 'postpone' }
  if (controlGas > most) return { do: 'raise' }
  if (isConfirmed) return { do: 'fail' }
  if (backoffs < MAX_POSTPONEMENTS) return { do: 'postpone' }
  return { do: 'sign', gasLimit: backoffs === MAX_POSTPONEMENTS ? limit : most }
}
