import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { ChainClient, SimulationAnswer } from '../../chain-client/index.ts'
import type { Signer } from '../../wallet/signer.ts'
import { expectedSequence, failedMessageIndex, isWalletRefused } from '../sdk-errors.ts'
import { controlMessage } from '../signing/control-message.ts'
import { unsignedTransaction } from '../signing/transaction.ts'
import type { QueuedMessage } from '../store/types.ts'
import type { Refusal } from '../types.ts'

export type Pricing =
  | { status: 'priced'; gasUsed: number }
  /** The chain refuses this message, whatever else is in its transaction. */
  | { status: 'refused'; message: QueuedMessage; error: Refusal }
  /** Some message does not pass and the chain does not name it; halving the batch narrows it down. */
  | { status: 'unclear' }
  /** The chain refuses all requests of this wallet (interface 17.4). */
  | { status: 'unauthorized'; reason: string }
  /** The cause is not a message but the node, the account or its sequence. */
  | { status: 'unavailable'; reason: string }

/**
 * Simulates a batch to learn its gas, and to find a message that the chain refuses before it fails the others in a
 * block. The block decides; but a message that was never signed cannot have been executed, so it can be refused here.
 */
export async function priceBatch(
  batch: readonly QueuedMessage[],
  options: { chain: ChainClient; wallet: Signer; probe: Any; sequence: number; denom: string }
): Promise<Pricing> {
  const { chain, wallet, probe, sequence, denom } = options
  const simulate = (messages: Any[]) => chain.simulate(unsignedTransaction(wallet, messages, sequence))
  const messages = batch.map(({ typeUrl, message }) => ({ typeUrl, value: message }))
  /** The text of a refusal that looks like one of the wallet. */
  const walletRefusal = (answer: SimulationAnswer) =>
    answer.status === 'failed' && isWalletRefused(answer.log, wallet.address) ? answer.log : undefined

  /** Simulates a request without a user. @returns undefined when the chain does not refuse the wallet */
  async function walletProblem(): Promise<Pricing | undefined> {
    const answer = await simulate([probe])
    if (answer.status === 'unavailable') return answer
    const reason = walletRefusal(answer)
    return reason === undefined ? undefined : { status: 'unauthorized', reason }
  }

  let answer = await simulate(messages)
  if (walletRefusal(answer) !== undefined) {
    // A user's text may read like a refusal of the wallet. The message is at fault only between two probes that pass:
    // the operator may whitelist the wallet, or end that, at any time.
    const before = await walletProblem()
    if (before) return before
    answer = await simulate(messages)
    const after = walletRefusal(answer) === undefined ? undefined : await walletProblem()
    if (after) return after
  }
  if (answer.status === 'passed') return { status: 'priced', gasUsed: answer.gasUsed }
  if (answer.status === 'unavailable') return answer

  const { code, codespace, log } = answer
  if (expectedSequence(log) !== undefined) return { status: 'unavailable', reason: log }
  const refusal = { code, codespace, message: log }
  const culprit = batch[failedMessageIndex(log, batch.length) ?? batch.length]
  if (culprit) return { status: 'refused', message: culprit, error: refusal }
  const [only, ...others] = batch
  if (!only || others.length > 0) return { status: 'unclear' }

  // The cause may be the wallet's account. A lone message is refused only if the control message, which any account
  // in order can send, passes in its place.
  const control = await simulate([controlMessage(wallet.address, denom)])
  if (control.status === 'passed') return { status: 'refused', message: only, error: refusal }
  return { status: 'unavailable', reason: control.status === 'failed' ? control.log : control.reason }
}
