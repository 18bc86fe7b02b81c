import type { ChainClient } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'

/** The limit where the chain sets none. Without a limit, a wrong simulation could ask for any amount of gas. */
const UNLIMITED_GAS = 100_000_000

/** How long the limit is cached. The chain's governance may change it. */
const FRESH_MS = 30_000

/** The most gas that a block may hold. */
export interface BlockGas {
  /** @returns the cached limit, or the chain's when that is too old. @throws NodeUnavailableError */
  limit(): Promise<number>
  /** @returns the chain's present limit, which is cached. @throws NodeUnavailableError */
  refresh(): Promise<number>
}

export function createBlockGas(chain: ChainClient, clock: Clock): BlockGas {
  let limit = UNLIMITED_GAS
  let askedAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<number> {
    limit = (await chain.blockGasLimit()) ?? UNLIMITED_GAS
    askedAt = clock.elapsed()
    return limit
  }

  return {
    limit: async () => (clock.elapsed() - askedAt >= FRESH_MS ? refresh() : limit),
    refresh
  }
}
