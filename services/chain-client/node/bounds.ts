const MIB = 1024 * 1024

/** CometBFT's default for the size of a block, and the largest that it allows, in bytes. */
const DEFAULT_BLOCK_BYTES = 22_020_096
const MAX_BLOCK_BYTES = 100 * MIB

/** What a node is asked, as far as time-outs and the size of answers depend on it. */
export type Call =
  | 'status'
  | 'consensus_params'
  | 'account'
  | 'simulate'
  | 'broadcast_tx_sync'
  | 'block'
  | 'block_results'

const ANSWER_BYTES: Record<Call, number> = {
  status: MIB,
  consensus_params: MIB,
  account: MIB,
  broadcast_tx_sync: MIB,
  simulate: 16 * MIB,
  block: blockAnswerBytes(DEFAULT_BLOCK_BYTES),
  block_results: 64 * MIB
}

/** A block's transactions are in base64; its header and commit come on top. */
function blockAnswerBytes(blockBytes: number): number {
  return Math.ceil((Math.min(blockBytes, MAX_BLOCK_BYTES) * 4) / 3) + MIB
}

/** All answers of one node that are read at the same time may be this large together. */
const TOTAL_BYTES = 96 * MIB

/** Bounds how much of a node's answers is held in memory. */
export interface AnswerBounds {
  /** Sets the size of a block, from the consensus parameters; undefined when unlimited. */
  setBlockBytes(bytes: number | undefined): void
  /** Starts an answer. @returns its part of the account; `add` throws AnswerTooLargeError past the bound */
  start(call: Call): { add(bytes: number): void; end(): void }
}

class AnswerTooLargeError extends Error {
  override name = 'AnswerTooLargeError'

  constructor(call: Call, bytes: number) {
    super(`the answer to ${call} is larger than ${bytes} bytes`)
  }
}

export function createAnswerBounds(): AnswerBounds {
  let blockBytes = ANSWER_BYTES.block
  let total = 0

  return {
    setBlockBytes(bytes) {
      blockBytes = blockAnswerBytes(bytes ?? MAX_BLOCK_BYTES)
    },
    start(call) {
      const limit = call === 'block' ? blockBytes : ANSWER_BYTES[call]
      let size = 0
      return {
        add(bytes) {
          size += bytes
          total += bytes
          if (size > limit) throw new AnswerTooLargeError(call, limit)
          if (total > TOTAL_BYTES) throw new AnswerTooLargeError(call, size)
        },
        end() {
          total -= size
          size = 0
        }
      }
    }
  }
}
