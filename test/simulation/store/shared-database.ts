import type { StoreContext } from '../../../services/submission/store/sql.ts'
import type { SubmissionStore } from '../../../services/submission/store/types.ts'

/** The store of one replica. */
export interface ReplicaStore extends SubmissionStore {
  /** Ends the connection that holds the leader's lock; the replica leads. */
  loseLock(): Promise<void>
}

/** A database that replicas share, with the real statements of the store. */
export interface SharedDatabase {
  /** For reading the stored rows. */
  context: StoreContext
  /** Opens the store of another replica. */
  open(): ReplicaStore | Promise<ReplicaStore>
  /** Copies all rows, or the initial state. @returns a function that restores the copy; call it while no replica runs */
  copy(what: 'all' | 'nothing'): () => void
  close(): Promise<void>
}
