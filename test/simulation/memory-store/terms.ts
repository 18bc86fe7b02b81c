import { aroundWrites, type EngineStore, type Term } from '../../../services/submission/store/engine-store.ts'
import { TermEndedError } from '../../../services/submission/store/errors.ts'
import type { Disk } from './disk.ts'

/** Grants terms over the stores of one disk, to one of them at a time. */
export function createTerms(disk: Disk, store: EngineStore) {
  let lock: symbol | undefined

  function release(held: symbol | undefined): void {
    if (disk.lock === held) disk.lock = undefined
  }

  return {
    async lead(): Promise<Term | undefined> {
      if (disk.lock !== undefined) return undefined
      const held = Symbol('lock')
      lock = held
      disk.lock = held
      disk.epoch += 1
      const { epoch } = disk
      const ending = new AbortController()
      const { signal: ended } = ending
      return {
        epoch,
        store: aroundWrites(store, async write => {
          if (ended.aborted || epoch !== disk.epoch) throw new TermEndedError()
          return write()
        }),
        ended,
        async resign() {
          ending.abort()
          release(held)
        }
      }
    },
    close: async () => release(lock)
  }
}
