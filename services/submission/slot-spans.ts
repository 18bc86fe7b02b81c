import type { Context } from '@opentelemetry/api'
import { endSpan, spanIn, startSpan } from '../tracing/index.ts'
import type { BlockOutcome, SignedTx } from './contract.ts'

export type SlotSpans = ReturnType<typeof createSlotSpans>

/**
 * Creates the spans of a submission after its intake (interface 14.20), if this process has accepted it since its
 * start. Each span belongs to the trace of the submission's request, which `intakeOf` returns.
 */
export function createSlotSpans(intakeOf: (submissionId: string) => Context | undefined) {
  /** By sequence. `waitsSince` is when the wait for a block began, in milliseconds since the epoch. */
  const open = new Map<number, { submissions: ReturnType<typeof traced>; waitsSince: number }>()

  function traced(submissionId: string, { sequence, hash }: SignedTx) {
    const parent = intakeOf(submissionId)
    if (parent === undefined) return []
    const slot = startSpan('slot', parent, {
      attributes: { 'submission.id': submissionId, 'slot.sequence': sequence, 'tx.hash': hash }
    })
    return [{ submissionId, slot, context: spanIn(parent, slot) }]
  }

  return {
    signed(signedTx: SignedTx): void {
      const { sequence, submissionIds } = signedTx
      if (open.has(sequence)) return
      const submissions = submissionIds.flatMap(id => traced(id, signedTx))
      if (submissions.length > 0) open.set(sequence, { submissions, waitsSince: Date.now() })
    },
    /** @returns a function to call when a node accepts the transaction */
    sending({ sequence, hash }: SignedTx): () => void {
      const slot = open.get(sequence)
      const startTime = Date.now()
      return () => {
        for (const { submissionId, context } of slot?.submissions ?? []) {
          const attributes = { 'submission.id': submissionId, 'tx.hash': hash }
          endSpan(startSpan('broadcast', context, { attributes, startTime }))
        }
        if (slot) slot.waitsSince = Date.now()
      }
    },
    applied({ height, resolutions }: Pick<BlockOutcome, 'height' | 'resolutions'>): void {
      for (const { sequence, transactionHash, outcomes } of resolutions) {
        const { submissions = [], waitsSince: startTime } = open.get(sequence) ?? {}
        open.delete(sequence)
        const outcomeOf = new Map(outcomes.map(({ submissionId, status }) => [submissionId, status]))
        for (const { submissionId, slot, context } of submissions) {
          const attributes = {
            'submission.id': submissionId,
            'submission.outcome': outcomeOf.get(submissionId) ?? 'queued',
            'tx.hash': transactionHash,
            'block.height': height
          }
          endSpan(startSpan('block', context, { attributes, ...(startTime && { startTime }) }))
          endSpan(slot)
        }
      }
    }
  }
}
