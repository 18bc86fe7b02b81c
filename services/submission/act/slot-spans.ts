import { ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import { endSpan, startSpan } from '../../tracing/index.ts'
import type { BlockOutcome, SignedTx } from '../contract.ts'

/**
 * Creates the span of each transaction, from its signature until a block consumes its slot. The parent is the span of
 * the transaction's first submission, and links lead to the spans of its other submissions. `spanOf` returns the span
 * of a submission that this process has accepted since its start.
 */
export function createSlotSpans(spanOf: (submissionId: string) => Span | undefined) {
  /** The spans by sequence. */
  const open = new Map<number, Span>()

  return {
    signed({ sequence, hash, submissionIds }: SignedTx): void {
      if (open.has(sequence)) return
      const [first, ...others] = submissionIds.flatMap(id => spanOf(id) ?? [])
      if (first === undefined) return
      const attributes = { 'slot.sequence': sequence, 'tx.hash': hash, 'tx.messages': submissionIds.length }
      const links = others.map(span => ({ context: span.spanContext() }))
      open.set(sequence, startSpan('transaction', { attributes, links }, trace.setSpan(ROOT_CONTEXT, first)))
    },
    applied({ height, resolutions }: Pick<BlockOutcome, 'height' | 'resolutions'>): void {
      for (const { sequence, transactionHash } of resolutions) {
        endSpan(open.get(sequence), { 'tx.hash': transactionHash, 'block.height': height })
        open.delete(sequence)
      }
    }
  }
}
