import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type ChainClient, type PoolSimulation, type Simulation, shorten } from '../../chain-client/index.ts'
import type { Signer } from '../../wallet/signer.ts'
import { expectedSequence, failedMessageIndex, isWalletRefused, refusalOf } from '../sdk-errors.ts'
import type { ImpedimentKind, Refusal } from '../types.ts'

/** So many simulations in a row must pass before the chain counts as one that passes the probe: a node may be wrong. */
const PASSES_TO_KNOW = 2

export type ProbeAnswer =
  /** `node`: which node it passes. */
  | { status: 'passed'; gasUsed: number; node: string }
  /** The chain refuses the wallet's own request, which it is known to pass: its state is the cause, not a message. */
  | { status: 'impeded'; kind: ImpedimentKind; reason: string }
  /** The chain has never passed the probe, so its refusal says nothing. */
  | { status: 'meaningless' }
  | { status: 'unavailable'; reason: string }

/**
 * A request of the wallet without a user, which is only simulated. It is the control for every refusal: where it passes,
 * the refused message is at fault; where it does not, the wallet or the chain's state is (interface 7.16).
 */
export interface Probe {
  /** Whether the chain is known to pass the probe. */
  readonly isKnownToPass: boolean
  ask(sequence: number): Promise<ProbeAnswer>
  /** What `askWith` simulates. */
  simulationWith(message: Any, sequence: number): Simulation
  /** Simulates the probe and the message in one transaction, so that both meet the same state. */
  askWith(
    message: Any,
    sequence: number
  ): Promise<ProbeAnswer | { status: 'message-refused'; refusal: Refusal }>
}

export function createProbe(options: {
  chain: Pick<ChainClient, 'simulate'>
  wallet: Signer
  /** The encoded request. */
  request: Any
  isKnownToPass: () => boolean
  setKnownToPass: () => Promise<void>
}): Probe {
  const { chain, wallet, request, isKnownToPass, setKnownToPass } = options
  let passes = 0

  const simulation = (messages: Any[], sequence: number) => ({
    messages,
    publicKey: wallet.publicKey,
    sequence
  })

  async function note(passed: boolean): Promise<void> {
    passes = passed ? passes + 1 : 0
    if (passes >= PASSES_TO_KNOW && !isKnownToPass()) await setKnownToPass()
  }

  async function judge(answer: PoolSimulation): Promise<ProbeAnswer> {
    if (answer.status === 'unavailable') return { status: 'unavailable', reason: answer.reason }
    await note(answer.status === 'passed')
    if (answer.status === 'passed') return answer
    const { log } = answer
    const reason = shorten(log)
    if (expectedSequence(log) !== undefined) return { status: 'unavailable', reason }
    if (isWalletRefused(log, wallet.address))
      return { status: 'impeded', kind: 'wallet-not-whitelisted', reason }
    if (isKnownToPass()) return { status: 'impeded', kind: 'requests-refused', reason }
    return { status: 'meaningless' }
  }

  const ask = async (sequence: number) => judge(await chain.simulate(simulation([request], sequence)))

  return {
    get isKnownToPass() {
      return isKnownToPass()
    },
    ask,
    simulationWith: (message, sequence) => simulation([request, message], sequence),
    async askWith(message, sequence) {
      const answer = await chain.simulate(simulation([request, message], sequence))
      if (answer.status !== 'failed') return judge(answer)
      switch (failedMessageIndex(answer.log, 2)) {
        case 0:
          return judge(answer)
        case 1:
          await note(true)
          return { status: 'message-refused', refusal: refusalOf(answer) }
        default:
          // The text names neither of the two, and may be the message's.
          return ask(sequence)
      }
    }
  }
}
