import { type BroadcastAnswer, type ChainClient, NodeUnavailableError } from '../../chain-client/index.ts'
import { requiredFee } from '../sign/fees.ts'
import type { Variant } from '../store/types.ts'

/** The fee that a node requires for a variant; undefined when it is not above the present one. */
export function higherFee(
  answer: BroadcastAnswer,
  { feeAmount }: Variant,
  denom: string
): bigint | undefined {
  const fee = answer.status === 'refused' ? requiredFee(answer.log, denom) : undefined
  return fee !== undefined && fee > feeAmount ? fee : undefined
}

/**
 * Puts the bytes for which one node requires a higher fee to others.
 * @param options.refusal that node's answer
 * @returns whether one of them accepts the bytes, and the lowest fee that is required
 */
export async function opinionsOnFee(
  chain: Pick<ChainClient, 'agreement'>,
  variant: Variant,
  { refusal, denom }: { refusal: BroadcastAnswer; denom: string }
): Promise<{ isAccepted: boolean; lowest: bigint }> {
  const { agreed, opinions } = await chain.agreement<BroadcastAnswer>({
    question: 'broadcast',
    agree: (one, other) => [one, other].every(answer => higherFee(answer, variant, denom) !== undefined),
    async ask(node) {
      const answer = await node.broadcast(variant.bytes)
      if (answer.status === 'unavailable') throw new NodeUnavailableError(node.host, answer.reason)
      return answer
    }
  })
  const answers = agreed ?? opinions.map(({ answer }) => answer)
  const fees = [refusal, ...answers].flatMap(answer => higherFee(answer, variant, denom) ?? [])
  return {
    isAccepted: answers.some(({ status }) => status === 'accepted' || status === 'known'),
    lowest: fees.reduce((least, fee) => (fee < least ? fee : least))
  }
}
