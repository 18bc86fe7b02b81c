import {
  type ChainClient,
  NodeUnavailableError,
  type Opinion,
  type Simulation,
  type SimulationAnswer
} from '../../chain-client/index.ts'

/** The SDK's default gas for each byte of a transaction. No executed transaction used less. */
const GAS_PER_BYTE = 10

/** Two figures agree when neither is more than this many times the other. */
const AGREEMENT = 2

const agree = (a: number, b: number) => Math.max(a, b) <= AGREEMENT * Math.min(a, b)

/** Whether two simulations passed with gas that agrees. */
function sameGas(one: SimulationAnswer, other: SimulationAnswer): boolean {
  return one.status === 'passed' && other.status === 'passed' && agree(one.gasUsed, other.gasUsed)
}

/** The most gas that a transaction of so many messages asks for, whatever nodes say (interface 17.6). */
export function gasCap(
  { maxMessageGas, maxTransactionGas }: { maxMessageGas: number; maxTransactionGas: number },
  messages: number
): number {
  return Math.min(maxMessageGas * Math.max(1, messages), maxTransactionGas)
}

/** What one node says of the gas of a simulation. */
export interface SimulatedGas {
  gasUsed: number
  node: string
  simulation: Simulation
}

const figuresOf = (answers: readonly SimulationAnswer[]) =>
  answers.flatMap(answer => (answer.status === 'passed' ? answer.gasUsed : []))

/** Decides which simulated gas is believed: a node may be wrong or lie, and gas is money. */
export function createGasEstimate(chain: Pick<ChainClient, 'agreement' | 'simulate'>) {
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

  /** Simulates the same transaction until two nodes agree. */
  async function confirm({ gasUsed, node, simulation }: SimulatedGas) {
    const agreement = await chain.agreement<SimulationAnswer>({
      question: 'simulate',
      said: { node, answer: { status: 'passed', gasUsed } },
      agree: sameGas,
      async ask(other) {
        const answer = await other.simulate(simulation)
        if (answer.status === 'unavailable') throw new NodeUnavailableError(other.host, answer.reason)
        return answer
      }
    })
    if (agreement.agreed) return agreement
    // No other node confirms it. One that was wrong once may be right now.
    const again = await chain.simulate(simulation)
    return { ...agreement, opinions: [...agreement.opinions, { node: again.node, answer: again }] }
  }

  return {
    /** The gas of one message of the last batches; undefined before the first. */
    get perMessage() {
      return perMessage
    },
    /**
     * The gas that a transaction needs. A figure that is unlike the one on which nodes last agreed, or that was too low
     * before, is believed when another node agrees. When none does, it stays between the agreed figure and twice as much;
     * before the first agreement it is the lowest, and after a failure the highest.
     * @param transaction.bytes of its messages
     * @returns `isCertain`: two nodes said so, now or before
     */
    async believe(
      said: SimulatedGas,
      transaction: { messages: number; bytes: number; failedBefore: boolean }
    ) {
      const { messages, bytes, failedBefore } = transaction
      const { gasUsed } = said
      const isUsual = agreedPerMessage !== undefined && agree(gasUsed / messages, agreedPerMessage)
      let believed = gasUsed
      let isCertain = isUsual && !failedBefore
      if (!isCertain) {
        const { agreed, opinions } = await confirm(said)
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
