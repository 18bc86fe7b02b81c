import { NodeUnavailableError, type SimulationResult } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import type { Chain } from '../contract.ts'
import {
  type Believed,
  type GasAnswers,
  type GasReport,
  isSimilar,
  OWN_GAS,
  trustedGas,
  type UsualGas
} from '../decide/gas.ts'
import type { SimulatedGas } from '../decide/verdict.ts'

/** The gas limit of a block if the chain has none: a wrong simulation could otherwise request any amount of gas. */
const UNLIMITED_GAS = 100_000_000

/** How long the limits are cached. The chain's governance can change them. */
const FRESH_MS = 30_000

/** How long a ceiling is kept, because a node may be wrong, and the chain's own limit can change. */
const CEILING_MS = 600_000

const NO_CEILING = { gas: Number.POSITIVE_INFINITY, setAt: 0 }

/**
 * Creates the cache of the block limits. A node that lies about them must not cause a message to be rejected or to run
 * out of gas.
 */
export function createBlockLimits(chain: Pick<Chain, 'crossCheck'>, clock: Clock) {
  let agreedGas: number | undefined
  let highestGas = UNLIMITED_GAS
  let blockBytes = Number.POSITIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let ceiling = NO_CEILING

  const ceilingFor = (ms: number) =>
    clock.elapsed() - ceiling.setAt < ms ? ceiling.gas : Number.POSITIVE_INFINITY

  const limits = () => ({
    /** The maximum gas of a block. Before two nodes agree, UNLIMITED_GAS. */
    gas: agreedGas ?? UNLIMITED_GAS,
    /** The maximum gas of a block. Before two nodes agree, the highest reported value, like the size. */
    likelyGas: agreedGas ?? highestGas,
    bytes: blockBytes,
    /** The highest gas limit that the chain accepts for a transaction, as learned from refusals. */
    ceiling: ceilingFor(CEILING_MS),
    /**
     * The same for a lone message, but forgotten sooner: a lone message cannot be split, so it must ask the chain
     * again.
     */
    loneCeiling: ceilingFor(FRESH_MS)
  })

  async function refresh() {
    const { agreed, responses } = await chain.crossCheck({
      question: 'blockLimits',
      async ask(node) {
        const { gas = UNLIMITED_GAS, bytes = Number.POSITIVE_INFINITY } = await node.blockLimits()
        return { gas, bytes }
      },
      agree: (one, other) => one.gas === other.gas && one.bytes === other.bytes
    })
    if (responses.length === 0) throw new NodeUnavailableError(undefined, 'none reports the block limits')
    const answers = agreed ?? responses.map(({ answer }) => answer)
    const before = agreedGas
    agreedGas = agreed?.[0].gas ?? agreedGas
    if (before !== undefined && before !== agreedGas) ceiling = NO_CEILING
    highestGas = Math.max(...answers.map(answer => answer.gas))
    blockBytes = Math.max(...answers.map(answer => answer.bytes))
    askedAt = clock.elapsed()
    return limits()
  }

  return {
    /** Returns the cached limits, or new ones if those are too old. @throws NodeUnavailableError */
    read: async () => (clock.elapsed() - askedAt >= FRESH_MS ? refresh() : limits()),
    /** Keeps a ceiling for ten minutes, or until the maximum gas of a block changes. */
    setCeiling(gas: number): void {
      ceiling = { gas, setAt: clock.elapsed() }
    },
    /** Forgets a lower ceiling, because a node has accepted this gas limit. */
    accepted(gas: number): void {
      if (gas > ceiling.gas) ceiling = NO_CEILING
    }
  }
}

const figuresOf = (answers: readonly SimulationResult[]) =>
  answers.flatMap(answer => (answer.status === 'passed' ? answer.gasUsed : []))

/** Asks nodes again about simulated gas, as `decide/gas.ts` decides. */
export function createGasEstimate(chain: Pick<Chain, 'crossCheck' | 'simulate'>) {
  /** The gas and the number of messages of the last batch. */
  let last: { gas: number; messages: number } | undefined
  let usual: UsualGas | undefined

  async function askAgain({ gasUsed, node, simulation }: SimulatedGas): Promise<GasAnswers> {
    const { agreed, isByTwo, responses } = await chain.crossCheck<SimulationResult>({
      question: 'simulate',
      earlier: { node, answer: { status: 'passed', gasUsed } },
      agree: (one, other) =>
        one.status === 'passed' && other.status === 'passed' && isSimilar(one.gasUsed, other.gasUsed),
      async ask(other) {
        const answer = await other.simulate(simulation)
        if (answer.status === 'unavailable') throw new NodeUnavailableError(other.host, answer.reason)
        return answer
      }
    })
    // If several nodes are configured, only two of them can agree.
    if (agreed) return { agreement: isByTwo ? 'two' : 'same', figures: figuresOf(agreed) }
    // Ask once more: a node that was wrong may be right now.
    const answers = [...responses.map(({ answer }) => answer), await chain.simulate(simulation)]
    return { agreement: 'none', figures: figuresOf(answers) }
  }

  return {
    /** The gas per message of the last batch; undefined before the first batch. */
    get perMessage(): number | undefined {
      return last && last.gas / last.messages
    },
    /** The estimated gas of a transaction with one message; undefined before the first batch. */
    get ofOne(): number | undefined {
      return last && last.gas / last.messages + (last.messages > 1 ? OWN_GAS : 0)
    },
    /** Returns the gas that a transaction needs. */
    async trustedGas(reported: SimulatedGas, transaction: Omit<GasReport, 'gasUsed'>): Promise<Believed> {
      const report = { ...transaction, gasUsed: reported.gasUsed }
      let belief = trustedGas(report, usual)
      if (belief.do === 'ask') belief = trustedGas(report, usual, await askAgain(reported))
      if (belief.do === 'ask') throw new TypeError('the gas decision asks more than once')
      usual = belief.usual
      last = { gas: belief.gas, messages: report.messages }
      return belief
    }
  }
}
