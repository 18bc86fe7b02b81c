import type { SimulationAnswer } from '../../chain-client/index.ts'

/** The SDK's default gas for each byte of a transaction. No executed transaction used less. */
const GAS_PER_BYTE = 10

/** Two figures agree when neither is more than this many times the other. */
const AGREEMENT = 2

const agree = (a: number, b: number) => Math.max(a, b) <= AGREEMENT * Math.min(a, b)

/** Decides which simulated gas is believed: a node may be wrong or lie, and gas is money. */
export interface GasEstimate {
  /** The gas of one message of the last batches; undefined before the first. */
  readonly perMessage: number | undefined
  /**
   * The gas that a transaction needs. A figure that is unlike the last ones, or that was too low before, is believed
   * only when it is said again; of three different figures the middle one is taken.
   * @param again simulates the same transaction once more, by another node where there is one
   * @returns undefined when it could not be asked again
   */
  believe(
    gasUsed: number,
    transaction: { messages: number; bytes: number; failedBefore: boolean },
    again: () => Promise<SimulationAnswer>
  ): Promise<number | undefined>
}

export function createGasEstimate(): GasEstimate {
  let perMessage: number | undefined

  async function confirmed(first: number, again: () => Promise<SimulationAnswer>) {
    const second = await again()
    if (second.status !== 'passed') return undefined
    if (agree(first, second.gasUsed)) return Math.max(first, second.gasUsed)
    const third = await again()
    if (third.status !== 'passed') return undefined
    const [, middle] = [first, second.gasUsed, third.gasUsed].sort((a, b) => a - b)
    return middle
  }

  return {
    get perMessage() {
      return perMessage
    },
    async believe(gasUsed, { messages, bytes, failedBefore }, again) {
      const expected = perMessage !== undefined && agree(gasUsed / messages, perMessage)
      const believed = expected && !failedBefore ? gasUsed : await confirmed(gasUsed, again)
      if (believed === undefined) return undefined
      const gas = Math.max(believed, bytes * GAS_PER_BYTE)
      perMessage = gas / messages
      return gas
    }
  }
}
