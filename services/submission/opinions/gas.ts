import {
  type ChainClient,
  NodeUnavailableError,
  type Simulation,
  type SimulationResult
} from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'

/** The limit if the chain sets none. Without a limit, a wrong simulation could request any amount of gas. */
const UNLIMITED_GAS = 100_000_000

/** A simulation sends the transaction in hex, and a node accepts requests of at most 1,000,000 bytes. */
const MAX_BATCH_BYTES = 400_000

/** A transaction may use a quarter of the bytes of a block, which the header, the commit and others share. */
const BLOCK_SHARE = 4

/** How long the limits of a block are cached. The chain's governance may change them. */
const FRESH_MS = 30_000

/**
 * Reads the limits of a block. A node that lies about them must neither cause a message to be refused nor let it run
 * out of gas.
 */
export function createBlockLimits(chain: Pick<ChainClient, 'agreement'>, clock: Clock) {
  /** The most gas, as last reported by two nodes, if there are two. */
  let agreedGas: number | undefined
  let highestGas = UNLIMITED_GAS
  let batchBytes = MAX_BATCH_BYTES
  let askedAt = Number.NEGATIVE_INFINITY

  const limits = () => ({
    /** The most gas. Before nodes agree, the limit that applies if the chain sets none. */
    gas: agreedGas ?? UNLIMITED_GAS,
    /** The most gas. Before nodes agree, the highest response. */
    likelyGas: agreedGas ?? highestGas,
    /** The most bytes for all messages of one transaction. Before nodes agree, based on the highest response. */
    batchBytes
  })

  async function refresh() {
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
    highestGas = Math.max(...answers.map(answer => answer.gas))
    batchBytes = Math.min(MAX_BATCH_BYTES, Math.floor(bytes / BLOCK_SHARE))
    askedAt = clock.elapsed()
    return limits()
  }

  return {
    /** @returns the cached limits, or the chain's if those are too old. @throws NodeUnavailableError */
    read: async () => (clock.elapsed() - askedAt >= FRESH_MS ? refresh() : limits()),
    /**
     * Asks the nodes again, after a node has refused a transaction with this gas for exceeding the limit of a block. A
     * single response that agrees with that node counts too.
     * @returns whether that gas is above the limit
     * @throws NodeUnavailableError
     */
    async isBelow(gas: number): Promise<boolean> {
      const { likelyGas } = await refresh()
      if (likelyGas >= gas) return false
      agreedGas = likelyGas
      return true
    }
  }
}

/** The SDK's default gas for each byte of a transaction. No executed transaction used less. */
const GAS_PER_BYTE = 10

/** Two figures agree if neither is more than this many times the other. */
const AGREEMENT = 2

const agree = (a: number, b: number) => Math.max(a, b) <= AGREEMENT * Math.min(a, b)

const figuresOf = (answers: readonly SimulationResult[]) =>
  answers.flatMap(answer => (answer.status === 'passed' ? answer.gasUsed : []))

/** The most gas that a transaction with this many messages requests, whatever nodes report (interface 17.6). */
export function gasCap(
  { maxMessageGas, maxTransactionGas }: { maxMessageGas: number; maxTransactionGas: number },
  messages: number
): number {
  return Math.min(maxMessageGas * Math.max(1, messages), maxTransactionGas)
}

/** The gas of a simulation, as reported by one node. */
export interface SimulatedGas {
  gasUsed: number
  node: string
  simulation: Simulation
}

/** Decides which simulated gas to trust: a node may be wrong or lie, and gas costs money. */
export function createGasEstimate(chain: Pick<ChainClient, 'agreement' | 'simulate'>) {
  let perMessage: number | undefined
  /** The gas per message that two nodes agreed on. It does not follow later figures, which would creep up. */
  let agreedPerMessage: number | undefined

  function bounded(figures: readonly number[], messages: number, failedBefore: boolean): number {
    if (failedBefore) return Math.max(...figures)
    const lowest = Math.min(...figures)
    if (agreedPerMessage === undefined) return lowest
    const usual = agreedPerMessage * messages
    return Math.min(Math.max(lowest, usual), AGREEMENT * usual)
  }

  /** Simulates the same transaction until two nodes agree. */
  async function confirm({ gasUsed, node, simulation }: SimulatedGas) {
    const { agreed, opinions } = await chain.agreement<SimulationResult>({
      question: 'simulate',
      said: { node, answer: { status: 'passed', gasUsed } },
      agree: (one, other) =>
        one.status === 'passed' && other.status === 'passed' && agree(one.gasUsed, other.gasUsed),
      async ask(other) {
        const answer = await other.simulate(simulation)
        if (answer.status === 'unavailable') throw new NodeUnavailableError(other.host, answer.reason)
        return answer
      }
    })
    if (agreed) return { isAgreed: true, figures: figuresOf(agreed) }
    // No other node confirms it. A node that was wrong once may be right now.
    const answers = [...opinions.map(({ answer }) => answer), await chain.simulate(simulation)]
    return { isAgreed: false, figures: figuresOf(answers) }
  }

  return {
    /** The gas of one message of the last batches; undefined before the first. */
    get perMessage(): number | undefined {
      return perMessage
    },
    /**
     * The gas that a transaction needs. A figure that differs from the last agreed one, or that was too low before, is
     * trusted if another node agrees. If none does, the result stays between the agreed figure and twice as much.
     * Before the first agreement it is the lowest figure, and after a failure the highest.
     * @param transaction.bytes of its messages
     * @returns `isCertain`: two nodes reported it, now or before
     */
    async believe(
      reported: SimulatedGas,
      { messages, bytes, failedBefore }: { messages: number; bytes: number; failedBefore: boolean }
    ): Promise<{ gas: number; isCertain: boolean }> {
      const { gasUsed } = reported
      const isUsual = agreedPerMessage !== undefined && agree(gasUsed / messages, agreedPerMessage)
      let believed = gasUsed
      let isCertain = isUsual && !failedBefore
      if (!isCertain) {
        const { isAgreed, figures } = await confirm(reported)
        isCertain = isAgreed
        believed = isAgreed ? Math.max(...figures) : bounded(figures, messages, failedBefore)
        if (isAgreed) agreedPerMessage = believed / messages
      }
      const gas = Math.ceil(Math.max(believed, bytes * GAS_PER_BYTE))
      perMessage = gas / messages
      return { gas, isCertain }
    }
  }
}
