import type { Submission, SubmissionStore } from '../submission/contract.ts'
import type { Instruments } from './instruments.ts'

/** Adds metrics to a store. Counts the engine's actions once the store has made them durable. */
export function observedStore<S extends SubmissionStore>(store: S, instruments: Instruments): S {
  const { taken, settled, foreign } = instruments
  // Create the series before the first event, because a rate needs an initial value.
  for (const status of ['committed', 'rejected']) settled.zero({ status })

  function settle(submissions: readonly Submission[]): void {
    for (const { status, createdAt, updatedAt } of submissions)
      settled.observe({ status }, Math.max(0, Date.parse(updatedAt) - Date.parse(createdAt)) / 1000)
  }

  return {
    ...store,
    async take(requests) {
      const results = await store.take(requests)
      for (const [index, { status: outcome }] of results.entries())
        taken.inc({ outcome, caller: requests[index]?.caller ?? '' })
      return results
    },
    async lead() {
      const term = await store.lead()
      if (term === undefined) return undefined
      const { reject, applyBlock } = term.store
      const observed = {
        ...term.store,
        async reject(...refusal: Parameters<typeof reject>) {
          const rejected = await reject(...refusal)
          settle(rejected)
          return rejected
        },
        async applyBlock(block: Parameters<typeof applyBlock>[0]) {
          const submissions = await applyBlock(block)
          for (const { origin } of block.resolutions) if (origin === 'foreign') foreign.inc()
          settle(submissions)
          return submissions
        }
      }
      return { ...term, store: observed }
    }
  }
}
