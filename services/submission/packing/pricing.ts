import type { ChainClient } from '../../chain-client/index.ts'
import type { Signer } from '../../wallet/signer.ts'
import { expectedSequence, failedMessageIndex, isWalletRefused } from '../sdk-errors.ts'
import { controlMessage } from '../signing/control-message.ts'
import { unsignedTransaction } from '../signing/transaction.ts'
import type { QueuedMessage } from '../store/types.ts'
import type { Refusal } from '../types.ts'

export type Pricing =
  | { status: 'priced'; gasUsed: number }
  /** The chain refuses this message, whatever shares its transaction. */
  | { status: 'refused'; message: QueuedMessage; error: Refusal }
  /** Something in the batch does not pass, and the chain does not say what: half of it may tell. */
  | { status: 'unclear' }
  /** The chain takes no request of this wallet, whatever is in it. */
  | { status: 'unauthorized'; reason: string }
  /** Not the messages' fault: the node, the account or its sequence. */
  | { status: 'unavailable'; reason: string }

/**
 * Asks the chain what a batch would cost, and finds a message that it refuses before that message can cost the
 * others anything. Advisory: the block decides, but nothing that was never signed can have been executed.
 */
export async function priceBatch(
  batch: readonly QueuedMessage[],
  options: { chain: ChainClient; wallet: Signer; sequence: number; denom: string }
): Promise<Pricing> {
  const { chain, wallet, sequence, denom } = options
  const messages = batch.map(({ typeUrl, message }) => ({ typeUrl, value: message }))
  const answer = await chain.simulate(unsignedTransaction(wallet, messages, sequence))
  if (answer.status === 'passed') return { status: 'priced', gasUsed: answer.gasUsed }
  if (answer.status === 'unavailable') return answer

  const { code, codespace, log } = answer
  if (expectedSequence(log) !== undefined) return { status: 'unavailable', reason: log }
  if (isWalletRefused(log, wallet.address)) return { status: 'unauthorized', reason: log }
  const refusal = { code, codespace, message: log }
  const culprit = batch[failedMessageIndex(log, batch.length) ?? batch.length]
  if (culprit) return { status: 'refused', message: culprit, error: refusal }
  const [only, ...others] = batch
  if (!only || others.length > 0) return { status: 'unclear' }

  // A lone message that does not pass is refused only if the wallet's account is in order: a control that
  // is certain to be acceptable must pass in its place.
  const control = await chain.simulate(
    unsignedTransaction(wallet, [controlMessage(wallet.address, denom)], sequence)
  )
  if (control.status === 'passed') return { status: 'refused', message: only, error: refusal }
  return { status: 'unavailable', reason: control.status === 'failed' ? control.log : control.reason }
}
