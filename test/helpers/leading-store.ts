import type { EngineStore, SubmissionStore } from '../../services/submission/contract.ts'

/** Makes a store lead. @returns the store merged with the leader's operations */
export async function leadingStore<S extends SubmissionStore>(store: S): Promise<S & EngineStore> {
  const term = await store.lead()
  if (!term) throw new Error('another store on the same data leads')
  return { ...store, ...term.store }
}
