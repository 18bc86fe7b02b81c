import type { SimulationAnswer } from '../../chain-client/index.ts'

/** The SDK's default gas for each byte of a transaction. No executed transaction used less. */
const GAS_PER_BYTE = 10

/** Two figures agree when neither is more than this many times the other. */
const AGREEMENT = 2

/** So many answers are asked for. */
const MAX_ANSWERS = 5

const agree = (a: number, b: number) => Math.max(a, b) <= AGREEMENT * Math.min(a, b)

/** Decides which simulated gas is believed: a node may be wrong or lie, and gas is money. */
export interface GasEstimate {
  /** The gas of one message of the last batches; undefined before the first. */
  readonly perMessage: number | undefined
  /**
   * The gas that a transaction needs. A figure that is unlike the last ones, or that was too low before, is believed
   * only when two answers in a row agree. When they never do, the lower figure is taken, which a block refuses at worst,
   * and the higher one for what failed before.
   * @param transaction.bytes of its messages
   * @param again simulates the same transaction once more, by another node where there is one
   * @returns undefined when there is no further answer
   */
  believe(
    gasUsed: number,
    transaction: { messages: number; bytes: number; failedBefore: boolean },
    again: () => Promise<SimulationAnswer>
  ): Promise<number | undefined>
}

export function createGasEstimate(): GasEstimate {
  let perMessage: number | undefined

  async function confirmed(first: number, failedBefore: boolean, again: () => Promise<SimulationAnswer>) {
    let last = first
    let before = first
    for (let asked = 1; asked < MAX_ANSWERS; asked++) {
      const next = await again()
      if (next.status !== 'passed') return undefined
      before = last
      last = next.gasUsed
      if (agree(before, last)) return Math.max(before, last)
    }
    return failedBefore ? Math.max(before, last) : Math.min(before, last)
  }

  return {
    get perMessage() {
      return perMessage
    },
    async believe(gasUsed, { messages, bytes, failedBefore }, again) {
      const expected = perMessage !== undefined && agree(gasUsed / messages, perMessage)
      const believed = expected && !failedBefore ? gasUsed : await confirmed(gasUsed, failedBefore, again)
      if (believed === undefined) return undefined
      const gas = Math.max(believed, bytes * GAS_PER_BYTE)
      perMessage = gas / messages
      return gas
    }
  }
}
