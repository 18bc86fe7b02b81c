import type { ChainClient } from '../chain-client/index.ts'
import type { Clock } from './clock.ts'

/** How long the limit is taken for what it was: the chain's governance may change it. */
const FRESH_MS = 30_000

/**
 * The most gas that a block holds, as of lately.
 * @returns a function that answers Infinity when the chain sets no limit. @throws NodeUnavailableError
 */
export function createBlockGasLimit(chain: ChainClient, clock: Clock): () => Promise<number> {
  let limit = Number.POSITIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (clock.now() - askedAt >= FRESH_MS) {
      limit = (await chain.blockGasLimit()) ?? Number.POSITIVE_INFINITY
      askedAt = clock.now()
    }
    return limit
  }
}
