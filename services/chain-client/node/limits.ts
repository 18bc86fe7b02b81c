const MIB = 1024 * 1024

/** CometBFT's default for the size of a block, and the largest that it allows, in bytes. */
const DEFAULT_BLOCK_BYTES = 22_020_096
const MAX_BLOCK_BYTES = 100 * MIB

/** A block's transactions are in base64; its header and commit come on top. */
const blockAnswerBytes = (blockBytes: number) =>
  Math.ceil((Math.min(blockBytes, MAX_BLOCK_BYTES) * 4) / 3) + MIB

/** What a node is asked, and how large its answer may be, in bytes. */
const ANSWER_BYTES = {
  status: MIB,
  consensus_params: MIB,
  account: MIB,
  broadcast_tx_sync: MIB,
  simulate: 16 * MIB,
  block: blockAnswerBytes(DEFAULT_BLOCK_BYTES),
  block_results: 64 * MIB
}

export type Call = keyof typeof ANSWER_BYTES

/** All answers of one node that are read at the same time may be this large together. */
const TOTAL_BYTES = 96 * MIB

class AnswerTooLargeError extends Error {
  override name = 'AnswerTooLargeError'

  constructor(call: Call, bytes: number) {
    super(`the answer to ${call} is larger than ${bytes} bytes`)
  }
}

export type AnswerBounds = ReturnType<typeof createAnswerBounds>

/** Bounds how much of a node's answers is held in memory. */
export function createAnswerBounds() {
  const bounds = { ...ANSWER_BYTES }
  let total = 0

  return {
    /** Sets the size of a block, from the consensus parameters; undefined when unlimited. */
    setBlockBytes(bytes = MAX_BLOCK_BYTES): void {
      bounds.block = blockAnswerBytes(bytes)
    },
    /** Starts an answer. @returns its part of the account; `add` throws AnswerTooLargeError past the bound */
    start(call: Call) {
      const limit = bounds[call]
      let size = 0
      return {
        add(bytes: number): void {
          size += bytes
          total += bytes
          if (size > limit) throw new AnswerTooLargeError(call, limit)
          if (total > TOTAL_BYTES) throw new AnswerTooLargeError(call, size)
        },
        end(): void {
          total -= size
          size = 0
        }
      }
    }
  }
}

const LONGEST_MS = 60_000

/** Calls whose answer is small: they do not take longer with what is asked. */
const SHORT: readonly Call[] = ['status', 'broadcast_tx_sync']

/**
 * How long each call to one node may take. A call that takes too long may take twice as long the next time, up to a
 * minute; an answer in time shortens that again.
 * @param baseMs the least that a call may take
 */
export function createTimeLimits(baseMs: number) {
  const limits = new Map<Call, number>()
  return {
    of: (call: Call): number => limits.get(call) ?? baseMs,
    late(call: Call, limitMs: number): void {
      if (SHORT.includes(call)) return
      limits.set(call, Math.max(limits.get(call) ?? baseMs, Math.min(2 * limitMs, LONGEST_MS)))
    },
    answered(call: Call, tookMs: number): void {
      if (!SHORT.includes(call)) limits.set(call, Math.min(Math.max(baseMs, 2 * tookMs), LONGEST_MS))
    }
  }
}
