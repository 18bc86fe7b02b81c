import { aroundWrites, type EngineStore, type Term } from '../engine-store.ts'
import { TermEndedError } from '../errors.ts'

/**
 * Grants terms to the process that has the data directory alone: at once, and none is ever lost.
 * @returns a function that begins a term, which ends the one before it
 */
export function createTerms(store: EngineStore): () => Promise<Term> {
  let epoch = 0
  let endPresent = () => {}

  return async () => {
    endPresent()
    const ending = new AbortController()
    const { signal: ended } = ending
    endPresent = () => ending.abort()
    epoch += 1
    return {
      epoch,
      store: aroundWrites(store, async write => {
        if (ended.aborted) throw new TermEndedError()
        return write()
      }),
      isAlone: true,
      ended,
      resign: async () => ending.abort()
    }
  }
}
