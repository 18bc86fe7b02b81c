import type { QueuedMessage } from '../store/types.ts'

/** The most messages that one transaction carries. */
export const MAX_MESSAGES = 500

/** A transaction travels in hex in a simulation, and a node reads no request over 1,000,000 bytes. */
const MAX_BATCH_BYTES = 400_000

/** What a message costs on top of itself: tag, lengths and type URL of its Any. */
const MESSAGE_OVERHEAD_BYTES = 100

/** Blocks are shared: no transaction of ours asks for more than this part of one. */
const BLOCK_SHARE = 4

/** @returns the most gas that one transaction may ask for */
export function gasBudget(blockGasLimit: number): number {
  return Math.floor(blockGasLimit / BLOCK_SHARE)
}

/**
 * What is left of the last block that these transactions fill. A block ends before the first one that does not fit, so
 * the transaction that ends exactly there leaves nothing of it empty.
 * @param gasLimits of the transactions on their way, in order
 */
export function gasLeftInBlock(gasLimits: readonly number[], blockGasLimit: number): number {
  let left = blockGasLimit
  for (const gas of gasLimits) left = (gas <= left ? left : blockGasLimit) - gas
  return left
}

/**
 * The longest run of queued messages, in their order, that fits one transaction. Messages that failed together
 * without a culprit come in halves, because a smaller transaction needs less gas and tells more.
 * @param gasPerMessage what a message asked for lately; undefined when nothing is known yet
 */
export function nextBatch(
  queued: readonly QueuedMessage[],
  limits: { gasBudget: number; gasPerMessage: number | undefined }
): QueuedMessage[] {
  const [first] = queued
  if (!first) return []
  const byGas = limits.gasPerMessage ? Math.floor(limits.gasBudget / limits.gasPerMessage) : MAX_MESSAGES
  const most = Math.max(1, Math.min(byGas, MAX_MESSAGES >> first.attempts))
  const batch: QueuedMessage[] = []
  let bytes = 0
  for (const message of queued.slice(0, most)) {
    bytes += message.message.length + MESSAGE_OVERHEAD_BYTES
    if (batch.length > 0 && (bytes > MAX_BATCH_BYTES || message.attempts !== first.attempts)) break
    batch.push(message)
  }
  return batch
}
