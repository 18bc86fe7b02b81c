import type { StoreContext } from '../../../services/submission/store/sql.ts'
import type { SubmissionStore } from '../../../services/submission/store/types.ts'

export interface ReplicaStore extends SubmissionStore {
  /** Closes the connection that holds the leader's lock. Call it only on the leader. */
  loseLock(): Promise<void>
}

/** A database that replicas share. Runs the store's real SQL statements. */
export interface SharedDatabase {
  context: StoreContext
  open(): ReplicaStore | Promise<ReplicaStore>
  /**
   * Takes a snapshot of all rows or, with `nothing`, of the initial state.
   * @returns a function that restores the snapshot; call it only while no replica runs
   */
  copy(what: 'all' | 'nothing'): () => void
  close(): Promise<void>
}
