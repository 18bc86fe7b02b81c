import type { Home } from '../../../services/submission/store/sql.ts'
import type { SubmissionStore } from '../../../services/submission/store/types.ts'

/** The store of one replica. */
export interface ReplicaStore extends SubmissionStore {
  /** Ends the connection that holds the leader's lock; the replica leads. */
  loseLock(): Promise<void>
}

/** A database that replicas share, with the real statements of the store. */
export interface SharedDatabase {
  /** For whoever looks at the stored rows. */
  home: Home
  /** Opens the store of another replica. */
  open(): ReplicaStore | Promise<ReplicaStore>
  /** Copies what is stored; all of it, or as it was at first. @returns what restores that, while no replica runs */
  copy(what: 'all' | 'nothing'): () => void
  close(): Promise<void>
}
