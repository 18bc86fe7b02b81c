import type { ChainClient } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'

/** A simulation sends the transaction in hex, and a node reads requests of at most 1,000,000 bytes. */
const MAX_BATCH_BYTES = 400_000

/** A transaction may have a quarter of the bytes of a block: header, commit and others share it. */
const BLOCK_SHARE = 4

/** How long the limit is cached. The chain's governance may change it. */
const FRESH_MS = 30_000

/**
 * The most bytes that the messages of one transaction may have together, by the chain's `block.max_bytes`. What a node says
 * here only makes batches smaller. Whether a transaction is too large is found out by sending it (interface 17.11).
 * @returns a function that reads the limit, at most every 30 seconds. It throws NodeUnavailableError
 */
export function createBatchBytes(
  chain: Pick<ChainClient, 'blockByteLimit'>,
  clock: Clock
): () => Promise<number> {
  let limit = MAX_BATCH_BYTES
  let askedAt = Number.NEGATIVE_INFINITY

  return async () => {
    if (clock.elapsed() - askedAt < FRESH_MS) return limit
    const inBlock = (await chain.blockByteLimit()) ?? Number.POSITIVE_INFINITY
    askedAt = clock.elapsed()
    limit = Math.min(MAX_BATCH_BYTES, Math.floor(inBlock / BLOCK_SHARE))
    return limit
  }
}
