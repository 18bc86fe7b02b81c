import { type ChainClient, NodeUnavailableError } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'

/** The limit where the chain sets none. Without a limit, a wrong simulation could ask for any amount of gas. */
const UNLIMITED_GAS = 100_000_000

/** A simulation sends the transaction in hex, and a node reads requests of at most 1,000,000 bytes. */
const MAX_BATCH_BYTES = 400_000

/** A transaction may have a quarter of the bytes of a block: header, commit and others share it. */
const BLOCK_SHARE = 4

/** How long the limits are cached. The chain's governance may change them. */
const FRESH_MS = 30_000

/** What a block may hold, as two nodes said last, where there are two. */
export interface BlockLimits {
  /** The most gas; before nodes agree, the limit where the chain sets none. */
  gas: number
  /** The same; before nodes agree, the highest answer. */
  likelyGas: number
  /** The most bytes that the messages of one transaction may have together; before nodes agree, by the highest answer. */
  batchBytes: number
}

export type BlockLimitReader = ReturnType<typeof createBlockLimits>

/** Reads those limits. A node that lies about them must neither refuse a message nor let it run out of gas. */
export function createBlockLimits(chain: Pick<ChainClient, 'agreement'>, clock: Clock) {
  let agreedGas: number | undefined
  let limits = { gas: UNLIMITED_GAS, likelyGas: UNLIMITED_GAS, batchBytes: MAX_BATCH_BYTES }
  let askedAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<BlockLimits> {
    const { agreed, opinions } = await chain.agreement({
      question: 'blockLimits',
      async ask(node) {
        const { gas = UNLIMITED_GAS, bytes = Number.POSITIVE_INFINITY } = await node.blockLimits()
        return { gas, bytes }
      },
      agree: (one, other) => one.gas === other.gas && one.bytes === other.bytes
    })
    if (opinions.length === 0) throw new NodeUnavailableError('every node', 'no limits of a block')
    const answers = agreed ?? opinions.map(({ answer }) => answer)
    const bytes = Math.max(...answers.map(answer => answer.bytes))
    agreedGas = agreed?.[0].gas ?? agreedGas
    limits = {
      gas: agreedGas ?? UNLIMITED_GAS,
      likelyGas: agreedGas ?? Math.max(...answers.map(answer => answer.gas)),
      batchBytes: Math.min(MAX_BATCH_BYTES, Math.floor(bytes / BLOCK_SHARE))
    }
    askedAt = clock.elapsed()
    return limits
  }

  return {
    /** @returns the cached limits, or the chain's when those are too old. @throws NodeUnavailableError */
    read: async (): Promise<BlockLimits> => (clock.elapsed() - askedAt >= FRESH_MS ? refresh() : limits),
    /**
     * Asks the nodes again, after one has refused a transaction with this gas for the limit of a block. A lone answer that
     * says so too counts as agreed.
     * @returns whether that gas is above the limit
     * @throws NodeUnavailableError
     */
    async isBelow(gas: number): Promise<boolean> {
      const { likelyGas } = await refresh()
      if (likelyGas >= gas) return false
      agreedGas = likelyGas
      limits = { ...limits, gas: likelyGas }
      return true
    }
  }
}
