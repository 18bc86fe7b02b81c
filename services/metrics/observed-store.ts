import type { EngineStore, Term } from '../submission/store/engine-store.ts'
import type { IntakeResult, SubmissionStore } from '../submission/store/types.ts'
import type { Submission } from '../submission/types.ts'

/** Is told what the store is asked, and what has changed in it. Times are in seconds. */
export interface StoreObserver {
  /** @returns a function to call with the result */
  operation(name: string): (result: 'done' | 'failed', seconds: number) => void
  taken(outcome: IntakeResult['status']): void
  /** A slot was opened with so many messages. */
  opened(messages: number): void
  /** Another transaction was signed for an open slot. */
  signedAgain(): void
  /** A block consumed a slot of this term. */
  resolved(seconds: number): void
  /** A transaction of the wallet that this service did not sign consumed a sequence. */
  foreign(): void
  settled(submission: Submission): void
}

type Operation<A extends unknown[], R> = (...args: A) => Promise<R>

/** Observes a store: everything that the engine does becomes durable here, so nothing is counted that did not happen. */
export function observedStore<S extends SubmissionStore>(store: S, observer: StoreObserver): S {
  function timed<A extends unknown[], R>(name: string, operation: Operation<A, R>): Operation<A, R> {
    const record = observer.operation(name)
    return async (...args) => {
      const startedAt = performance.now()
      const seconds = () => (performance.now() - startedAt) / 1000
      try {
        const result = await operation(...args)
        record('done', seconds())
        return result
      } catch (error) {
        record('failed', seconds())
        throw error
      }
    }
  }

  const take = timed('take', store.take)

  return {
    ...store,
    async take(requests) {
      const results = await take(requests)
      for (const { status } of results) observer.taken(status)
      return results
    },
    join: timed('join', store.join),
    find: timed('find', store.find),
    findSettled: timed('findSettled', store.findSettled),
    forget: timed('forget', store.forget),
    async lead() {
      const term = await store.lead()
      return term && observedTerm(term)
    }
  }

  function observedTerm(term: Term): Term {
    return { ...term, store: observedEngineStore(term.store) }
  }

  function observedEngineStore(engine: EngineStore): EngineStore {
    const openSlot = timed('openSlot', engine.openSlot)
    const addVariant = timed('addVariant', engine.addVariant)
    const reject = timed('reject', engine.reject)
    const applyBlocks = timed('applyBlocks', engine.applyBlocks)
    /** When each open slot of this term was opened. */
    const openedAt = new Map<number, number>()

    function resolved(sequence: number): void {
      const at = openedAt.get(sequence)
      if (at === undefined) return
      openedAt.delete(sequence)
      observer.resolved((performance.now() - at) / 1000)
    }

    return {
      ...engine,
      queued: timed('queued', engine.queued),
      async openSlot(variant) {
        await openSlot(variant)
        openedAt.set(variant.sequence, performance.now())
        observer.opened(variant.submissionIds.length)
      },
      async addVariant(variant) {
        await addVariant(variant)
        observer.signedAgain()
      },
      async reject(submissionId, error) {
        const rejected = await reject(submissionId, error)
        observer.settled(rejected)
        return rejected
      },
      async applyBlocks(blocks) {
        const settled = await applyBlocks(blocks)
        for (const { sequence, origin } of blocks.flatMap(({ resolutions }) => resolutions)) {
          resolved(sequence)
          if (origin === 'foreign') observer.foreign()
        }
        for (const submission of settled) observer.settled(submission)
        return settled
      }
    }
  }
}
