import type { EngineStore } from '../../services/submission/store/engine-writes.ts'
import type { SubmissionStore } from '../../services/submission/store/types.ts'

/** Merges a store and the leader's part of it into one object. */
export async function leadingStore<S extends SubmissionStore>(store: S): Promise<S & EngineStore> {
  const term = await store.lead()
  if (!term) throw new Error('another store on the same data leads')
  return { ...store, ...term.store }
}

export type LeadingStore = SubmissionStore & EngineStore
