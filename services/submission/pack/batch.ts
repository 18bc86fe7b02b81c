import type { QueuedMessage } from '../store/types.ts'

/** The most messages that one transaction carries. */
export const MAX_MESSAGES = 500

/** Size of a message's Any beside the message: tags, lengths and type URL. */
const MESSAGE_OVERHEAD_BYTES = 100

/** A transaction may ask for the block's gas divided by this, because blocks are shared. */
const BLOCK_SHARE = 4

/** @returns the most gas that one transaction may ask for */
export function gasBudget(blockGasLimit: number): number {
  return Math.floor(blockGasLimit / BLOCK_SHARE)
}

/**
 * The gas that is left in the last of the blocks that these transactions fill. A block ends before the first
 * transaction that does not fit.
 * @param gasLimits of the transactions in open slots, in order
 */
export function gasLeftInBlock(gasLimits: readonly number[], blockGasLimit: number): number {
  let left = blockGasLimit
  for (const gas of gasLimits) left = (gas <= left ? left : blockGasLimit) - gas
  return left
}

/**
 * The longest run of queued messages, in order, that fits one transaction. Suspects of a failure share only with others
 * of the same limit: a smaller transaction needs less gas and narrows the culprit down.
 * @param limits.gasPerMessage gas limit of the last batch per message; undefined before the first batch
 * @param limits.maxBytes of its messages together; a lone one may have more
 * @param limits.together the most messages of a transaction with a suspect; undefined for others
 */
export function nextBatch(
  queued: readonly QueuedMessage[],
  limits: {
    gasBudget: number
    gasPerMessage: number | undefined
    maxBytes: number
    together: (message: QueuedMessage) => number | undefined
  }
): QueuedMessage[] {
  const [first] = queued
  if (!first) return []
  const together = limits.together(first)
  const byGas = limits.gasPerMessage ? Math.floor(limits.gasBudget / limits.gasPerMessage) : MAX_MESSAGES
  const maxMessages = Math.max(1, Math.min(byGas, together ?? MAX_MESSAGES))
  const batch: QueuedMessage[] = []
  let bytes = 0
  for (const message of queued.slice(0, maxMessages)) {
    bytes += message.message.length + MESSAGE_OVERHEAD_BYTES
    if (batch.length > 0 && (bytes > limits.maxBytes || limits.together(message) !== together)) break
    batch.push(message)
  }
  return batch
}
