import { type ChainClient, NodeUnavailableError } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'

/** The limit where the chain sets none. Without a limit, a wrong simulation could ask for any amount of gas. */
const UNLIMITED_GAS = 100_000_000

/** How long the limit is cached. The chain's governance may change it. */
const FRESH_MS = 30_000

/** The most gas that a block may hold. */
export interface BlockGasLimit {
  /** As two nodes said last, where there are two; before that, the limit where the chain sets none. */
  agreed: number
  /** The same, and before that the highest answer. */
  likely: number
}

/** Reads that limit. A node that lies about it must neither refuse a message nor let it run out of gas. */
export interface BlockGas {
  /** @returns the cached limit, or the chain's when that is too old. @throws NodeUnavailableError */
  limit(): Promise<BlockGasLimit>
  /**
   * Asks the nodes again, after one has refused a transaction with this gas for the limit of a block. A lone answer that
   * says so too counts as agreed.
   * @returns whether that gas is above the limit
   * @throws NodeUnavailableError
   */
  isBelow(gas: number): Promise<boolean>
}

export function createBlockGas(chain: Pick<ChainClient, 'agreement'>, clock: Clock): BlockGas {
  let agreed: number | undefined
  let limit: BlockGasLimit = { agreed: UNLIMITED_GAS, likely: UNLIMITED_GAS }
  let askedAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<BlockGasLimit> {
    const { agreed: answers, opinions } = await chain.agreement({
      question: 'blockGasLimit',
      ask: async node => (await node.blockGasLimit()) ?? UNLIMITED_GAS,
      agree: (one, other) => one === other
    })
    if (opinions.length === 0) throw new NodeUnavailableError('every node', 'no limit of a block')
    agreed = answers?.[0] ?? agreed
    limit = {
      agreed: agreed ?? UNLIMITED_GAS,
      likely: agreed ?? Math.max(...opinions.map(({ answer }) => answer))
    }
    askedAt = clock.elapsed()
    return limit
  }

  return {
    limit: async () => (clock.elapsed() - askedAt >= FRESH_MS ? refresh() : limit),
    async isBelow(gas) {
      const { likely } = await refresh()
      if (likely >= gas) return false
      agreed = likely
      limit = { agreed, likely }
      return true
    }
  }
}
