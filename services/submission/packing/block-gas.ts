import type { ChainClient } from '../../chain-client/index.ts'
import type { Clock } from '../runtime/clock.ts'

/** What is taken for the limit where the chain sets none: a node may say anything of what a message costs. */
const UNLIMITED_GAS = 100_000_000

/** How long the limit is taken for what it was: the chain's governance may change it. */
const FRESH_MS = 30_000

/**
 * The most gas that a block holds, as of lately.
 * @returns a function that asks the chain when it must. @throws NodeUnavailableError
 */
export function createBlockGasLimit(chain: ChainClient, clock: Clock): () => Promise<number> {
  let limit = UNLIMITED_GAS
  let askedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (clock.now() - askedAt >= FRESH_MS) {
      limit = (await chain.blockGasLimit()) ?? UNLIMITED_GAS
      askedAt = clock.now()
    }
    return limit
  }
}
