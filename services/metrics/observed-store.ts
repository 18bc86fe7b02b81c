import type { EngineStore } from '../submission/store/engine-writes.ts'
import type { SubmissionStore } from '../submission/store/types.ts'
import type { Submission } from '../submission/types.ts'
import type { Instruments } from './instruments.ts'

const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1000

/** Adds metrics to a store. Counts the engine's actions once the store has made them durable. */
export function observedStore<S extends SubmissionStore>(store: S, instruments: Instruments): S {
  const { storeOperations, taken, settled, batches, signedAgain, slots, foreign } = instruments
  // Create the series before the first event, because a rate needs an initial value.
  for (const status of ['committed', 'rejected']) settled.zero({ status })

  function timed<A extends unknown[], R>(operation: string, run: (...args: A) => Promise<R>): typeof run {
    return async (...args) => {
      const startedAt = performance.now()
      let result = 'failed'
      try {
        const value = await run(...args)
        result = 'done'
        return value
      } finally {
        storeOperations.observe({ operation, result }, secondsSince(startedAt))
      }
    }
  }

  function settle({ status, createdAt, updatedAt }: Submission): void {
    settled.observe({ status }, Math.max(0, Date.parse(updatedAt) - Date.parse(createdAt)) / 1000)
  }

  const take = timed('take', store.take)

  return {
    ...store,
    async take(requests) {
      const results = await take(requests)
      for (const [index, { status: outcome }] of results.entries())
        taken.inc({ outcome, caller: requests[index]?.caller ?? '' })
      return results
    },
    join: timed('join', store.join),
    find: timed('find', store.find),
    findSettled: timed('findSettled', store.findSettled),
    forget: timed('forget', store.forget),
    async lead() {
      const term = await store.lead()
      return term && { ...term, store: observedEngineStore(term.store) }
    }
  }

  function observedEngineStore(engine: EngineStore): EngineStore {
    const openSlot = timed('openSlot', engine.openSlot)
    const addSignedTx = timed('addSignedTx', engine.addSignedTx)
    const reject = timed('reject', engine.reject)
    const applyBlock = timed('applyBlock', engine.applyBlock)
    /** When each open slot of this term was opened, by sequence. */
    const openedAt = new Map<number, number>()

    return {
      ...engine,
      queued: timed('queued', engine.queued),
      async openSlot(signedTx) {
        await openSlot(signedTx)
        openedAt.set(signedTx.sequence, performance.now())
        batches.observe(signedTx.submissionIds.length)
      },
      async addSignedTx(signedTx) {
        await addSignedTx(signedTx)
        signedAgain.inc()
      },
      async reject(submissionId, error) {
        const rejected = await reject(submissionId, error)
        for (const submission of rejected) settle(submission)
        return rejected
      },
      async applyBlock(block) {
        const submissions = await applyBlock(block)
        for (const { sequence, origin } of block.resolutions) {
          const at = openedAt.get(sequence)
          if (at !== undefined) slots.observe(secondsSince(at))
          openedAt.delete(sequence)
          if (origin === 'foreign') foreign.inc()
        }
        for (const submission of submissions) settle(submission)
        return submissions
      }
    }
  }
}
