import { NodeUnavailableError, type SimulationResult } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import type { Chain } from '../contract.ts'
import type { SimulatedGas } from '../decide/verdict.ts'

/** The gas limit of a block if the chain has none: a wrong simulation could otherwise request any amount of gas. */
const UNLIMITED_GAS = 100_000_000

/** The chain's governance can change the limits. */
const FRESH_MS = 30_000

export interface BlockLimits {
  /** Returns the cached limits, or new ones if those are too old. @throws NodeUnavailableError */
  read(): Promise<{
    /** The maximum gas of a block. Before two nodes agree, UNLIMITED_GAS. */
    gas: number
    /** The maximum gas of a block. Before two nodes agree, the highest reported value. */
    likelyGas: number
    /** The maximum size of a block. Before two nodes agree, the highest reported value. */
    bytes: number
    /** The highest gas limit of a transaction that the chain accepts, as far as its refusals show. */
    ceiling: number
  }>
  /**
   * Requests the limits again after a node has refused a transaction with this gas limit. One further response is
   * enough to confirm the refusal.
   * @returns the maximum gas of a block
   * @throws NodeUnavailableError
   */
  confirm(gas: number): Promise<number>
  /** Keeps a ceiling below the block limit for a while, because a node may be wrong, and the chain's limit can change. */
  setCeiling(gas: number): void
}

/** Creates the cache of the block limits. If a node lies about them, no message may be refused or run out of gas. */
export function createBlockLimits(chain: Pick<Chain, 'agreement'>, clock: Clock): BlockLimits {
  let agreedGas: number | undefined
  let highestGas = UNLIMITED_GAS
  let blockBytes = Number.POSITIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let ceiling = { gas: Number.POSITIVE_INFINITY, until: 0 }

  const limits = () => ({
    gas: agreedGas ?? UNLIMITED_GAS,
    likelyGas: agreedGas ?? highestGas,
    bytes: blockBytes,
    ceiling: clock.elapsed() < ceiling.until ? ceiling.gas : Number.POSITIVE_INFINITY
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
    if (opinions.length === 0) throw new NodeUnavailableError(undefined, 'none reports the block limits')
    const answers = agreed ?? opinions.map(({ answer }) => answer)
    agreedGas = agreed?.[0].gas ?? agreedGas
    highestGas = Math.max(...answers.map(answer => answer.gas))
    blockBytes = Math.max(...answers.map(answer => answer.bytes))
    askedAt = clock.elapsed()
    return limits()
  }

  return {
    read: async () => (clock.elapsed() - askedAt >= FRESH_MS ? refresh() : limits()),
    async confirm(gas) {
      const { likelyGas } = await refresh()
      if (likelyGas < gas) agreedGas = likelyGas
      return likelyGas
    },
    setCeiling(gas) {
      if (gas < limits().likelyGas) ceiling = { gas, until: clock.elapsed() + FRESH_MS }
    }
  }
}

/** The SDK's default gas per transaction byte. No executed transaction uses less. */
const GAS_PER_BYTE = 10

const AGREEMENT = 2

const agree = (a: number, b: number) => Math.max(a, b) <= AGREEMENT * Math.min(a, b)

const figuresOf = (answers: readonly SimulationResult[]) =>
  answers.flatMap(answer => (answer.status === 'passed' ? answer.gasUsed : []))

/** Decides which simulated gas to trust: a node may be wrong or lie, and gas costs money. */
export function createGasEstimate(chain: Pick<Chain, 'agreement' | 'simulate'>) {
  let perMessage: number | undefined
  /** Two nodes agreed on this gas. A single node's later figures do not change it, so that it cannot creep up. */
  let agreedPerMessage: number | undefined

  function bounded(figures: readonly number[], messages: number, failedBefore: boolean): number {
    if (failedBefore) return Math.max(...figures)
    const lowest = Math.min(...figures)
    if (agreedPerMessage === undefined) return lowest
    const usual = agreedPerMessage * messages
    return Math.min(Math.max(lowest, usual), AGREEMENT * usual)
  }

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
    // A node that was wrong once may be right now.
    const answers = [...opinions.map(({ answer }) => answer), await chain.simulate(simulation)]
    return { isAgreed: false, figures: figuresOf(answers) }
  }

  return {
    /** The gas per message of the last batch; undefined before the first batch. */
    get perMessage(): number | undefined {
      return perMessage
    },
    /**
     * Returns the gas that a transaction needs. A figure that differs from the last agreed one, or was too low before,
     * is trusted only if another node agrees. Otherwise, the result is at least the agreed figure and at most twice
     * that. Before the first agreement, it is the lowest figure; after a failure, the highest.
     * @returns `isCertain` is true if two nodes agreed, now or earlier
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
