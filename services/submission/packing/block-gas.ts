import type { ChainClient } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'

/** The limit where the chain sets none. Without a limit, a wrong simulation could ask for any amount of gas. */
const UNLIMITED_GAS = 100_000_000

/** How long the limit is cached. The chain's governance may change it. */
const FRESH_MS = 30_000

/**
 * The most gas that a block may hold, cached.
 * @returns a function that asks the chain when the cached value is too old. @throws NodeUnavailableError
 */
export function createBlockGasLimit(chain: ChainClient, clock: Clock): () => Promise<number> {
  let limit = UNLIMITED_GAS
  let askedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (clock.elapsed() - askedAt >= FRESH_MS) {
      limit = (await chain.blockGasLimit()) ?? UNLIMITED_GAS
      askedAt = clock.elapsed()
    }
    return limit
  }
}
