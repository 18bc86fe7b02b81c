import type { Any } from 'cosmjs-types/google/protobuf/any'
import { shorten } from '../../chain-client/index.ts'
import type { SimulatedGas } from '../opinions/gas.ts'
import type { EngineContext } from '../runtime/context.ts'
import { expectedSequence, failedMessageIndex, isWalletRefused, refusalOf } from '../sdk-errors.ts'
import { controlMessage } from '../signing/control-message.ts'
import type { QueuedMessage } from '../store/types.ts'
import type { ImpedimentKind, Refusal } from '../types.ts'

export type Pricing =
  /** What one node says. `simulation` is what it simulated, perhaps with the wallet's probe before the message. */
  | ({ status: 'priced' } & SimulatedGas)
  /** The chain refuses this message, whatever else is in its transaction. */
  | { status: 'refused'; message: QueuedMessage; error: Refusal }
  /** Some message does not pass and the chain does not name it; halving the batch narrows it down. */
  | { status: 'unclear' }
  /** The chain refuses all requests for now (interface 7.16, 17.4). */
  | { status: 'impeded'; kind: ImpedimentKind; reason: string }
  /** The node has no answer for this batch. */
  | { status: 'unanswered'; late: boolean; reason: string }
  /** The cause is not a message but the node, the account or its sequence. */
  | { status: 'unavailable'; reason: string }

/** One node refused the message and another passed the control, which may follow another state. */
const OTHER_NODE: Pricing = { status: 'unavailable', reason: 'another node answered; asking again' }

const toAny = ({ typeUrl, message }: QueuedMessage): Any => ({ typeUrl, value: message })

/**
 * Simulates a batch to learn its gas, and to find a message that the chain refuses before it fails the others in a
 * block. The block decides; but a message that was never signed cannot have been executed, so it can be refused here.
 * No message is refused unless the wallet's probe shows that the cause is not the state of the chain.
 */
export async function priceBatch(engine: EngineContext, batch: readonly QueuedMessage[]): Promise<Pricing> {
  const { chain, wallet, probe, settings } = engine
  const { nextSequence: sequence } = engine.signer()
  const simulation = { messages: batch.map(toAny), publicKey: wallet.publicKey, sequence }

  async function simulate() {
    const answer = await chain.simulate(simulation)
    if (answer.status !== 'failed' || expectedSequence(answer.log) === undefined) return answer
    return { status: 'sequence', reason: shorten(answer.log) } as const
  }

  /** The chain names the message. It is refused for good when it is refused again beside the probe, which passes. */
  async function judgeNamed(message: QueuedMessage, error: Refusal): Promise<Pricing> {
    const answer = await probe.askWith(toAny(message), sequence)
    switch (answer.status) {
      case 'message-refused':
        return { status: 'refused', message, error: answer.refusal }
      case 'meaningless':
        return { status: 'refused', message, error }
      case 'passed':
        // The cause is gone, or lies in the other messages. A lone one is signed: the block decides.
        return batch.length > 1
          ? { status: 'unclear' }
          : {
              status: 'priced',
              gasUsed: answer.gasUsed,
              node: answer.node,
              simulation: probe.simulationWith(toAny(message), sequence)
            }
      default:
        return answer
    }
  }

  /** The chain names no message of a lone one: it must be refused again between two probes that pass. */
  async function judgeLone(message: QueuedMessage, node: string): Promise<Pricing> {
    const before = await probe.ask(sequence)
    if (before.status === 'meaningless') return judgeByControl(message, node)
    if (before.status !== 'passed') return before
    const again = await simulate()
    if (again.status !== 'failed') return settle(again)
    const after = await probe.ask(sequence)
    if (after.status === 'meaningless') return { status: 'unavailable', reason: shorten(again.log) }
    if (after.status !== 'passed') return after
    if (again.node !== before.node || again.node !== after.node) return OTHER_NODE
    return { status: 'refused', message, error: refusalOf(again) }
  }

  /**
   * On a chain that does not pass the probe: any account in order can send the control message. The message must be
   * refused again after it, because the node's state may have changed since.
   */
  async function judgeByControl(message: QueuedMessage, node: string): Promise<Pricing> {
    const messages = [controlMessage(wallet.address, settings.feeDenom)]
    const answer = await chain.simulate({ ...simulation, messages })
    if (answer.node !== node) return OTHER_NODE
    if (answer.status === 'failed') return { status: 'unavailable', reason: shorten(answer.log) }
    if (answer.status === 'unavailable') return answer
    const again = await simulate()
    if (again.status !== 'failed') return settle(again)
    return again.node === node ? { status: 'refused', message, error: refusalOf(again) } : OTHER_NODE
  }

  function settle(answer: Exclude<Awaited<ReturnType<typeof simulate>>, { status: 'failed' }>): Pricing {
    switch (answer.status) {
      case 'passed':
        return { status: 'priced', gasUsed: answer.gasUsed, node: answer.node, simulation }
      case 'unavailable':
        return { status: 'unanswered', late: answer.late, reason: answer.reason }
      case 'sequence':
        return { status: 'unavailable', reason: answer.reason }
    }
  }

  const answer = await simulate()
  if (answer.status !== 'failed') return settle(answer)
  const { log } = answer
  const named = batch[failedMessageIndex(log, batch.length) ?? batch.length]
  if (named) return judgeNamed(named, refusalOf(answer))
  const [only, ...others] = batch
  if (only && others.length === 0) return judgeLone(only, answer.node)
  // Without this question a refusal of the wallet would be halved down to every single message.
  const problem = isWalletRefused(log, wallet.address) ? await probe.ask(sequence) : undefined
  return problem?.status === 'impeded' ? problem : { status: 'unclear' }
}
