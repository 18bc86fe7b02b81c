import type { Agreement, Opinion, SimulationAnswer } from '../../chain-client/index.ts'

/** The SDK's default gas for each byte of a transaction. No executed transaction used less. */
const GAS_PER_BYTE = 10

/** Two figures agree when neither is more than this many times the other. */
const AGREEMENT = 2

const agree = (a: number, b: number) => Math.max(a, b) <= AGREEMENT * Math.min(a, b)

/** Whether two simulations passed with gas that agrees. */
export function sameGas(one: SimulationAnswer, other: SimulationAnswer): boolean {
  return one.status === 'passed' && other.status === 'passed' && agree(one.gasUsed, other.gasUsed)
}

const figuresOf = (answers: readonly SimulationAnswer[]) =>
  answers.flatMap(answer => (answer.status === 'passed' ? answer.gasUsed : []))

/** Decides which simulated gas is believed: a node may be wrong or lie, and gas is money. */
export interface GasEstimate {
  /** The gas of one message of the last batches; undefined before the first. */
  readonly perMessage: number | undefined
  /**
   * The gas that a transaction needs. A figure that is unlike the one on which nodes last agreed, or that was too low
   * before, is believed when another node agrees. When none does, it stays between the agreed figure and twice as much;
   * before the first agreement it is the lowest, and after a failure the highest.
   * @param transaction.bytes of its messages
   * @param confirm simulates the same transaction until two nodes agree
   * @returns `isCertain`: two nodes said so, now or before
   */
  believe(
    gasUsed: number,
    transaction: { messages: number; bytes: number; failedBefore: boolean },
    confirm: () => Promise<Agreement<SimulationAnswer>>
  ): Promise<{ gas: number; isCertain: boolean }>
}

export function createGasEstimate(): GasEstimate {
  let perMessage: number | undefined
  /** What two nodes agreed on, for one message. It does not follow later figures: those would creep up. */
  let agreedPerMessage: number | undefined

  function bounded(opinions: readonly Opinion<SimulationAnswer>[], messages: number, failedBefore: boolean) {
    const figures = figuresOf(opinions.map(({ answer }) => answer))
    if (failedBefore) return Math.max(...figures)
    const lowest = Math.min(...figures)
    if (agreedPerMessage === undefined) return lowest
    const usual = agreedPerMessage * messages
    return Math.min(Math.max(lowest, usual), AGREEMENT * usual)
  }

  return {
    get perMessage() {
      return perMessage
    },
    async believe(gasUsed, { messages, bytes, failedBefore }, confirm) {
      const isUsual = agreedPerMessage !== undefined && agree(gasUsed / messages, agreedPerMessage)
      let believed = gasUsed
      let isCertain = isUsual && !failedBefore
      if (!isCertain) {
        const { agreed, opinions } = await confirm()
        isCertain = agreed !== undefined
        believed = agreed ? Math.max(...figuresOf(agreed)) : bounded(opinions, messages, failedBefore)
        if (agreed) agreedPerMessage = believed / messages
      }
      const gas = Math.ceil(Math.max(believed, bytes * GAS_PER_BYTE))
      perMessage = gas / messages
      return { gas, isCertain }
    }
  }
}
