import { ServiceError } from '../../errors/index.ts'
import { createNetworkShares, type Networks } from '../../http/network-shares.ts'
import type { SubmissionStore } from '../store/types.ts'

/**
 * The most unsettled submissions per client: a tenth of the backlog. An IPv6 /48 network may have four tenths
 * (interface 6.43).
 */
const MOST_OF_CLIENT = 5000

/** The most submissions per lookup. */
const LOOK_UP = 5000

export type Shares = ReturnType<typeof createShares>

/**
 * Counts the unsettled submissions of each client that this process accepted, so that no client fills the backlog.
 * Nothing is stored: client addresses are kept no longer than needed.
 */
export function createShares(store: Pick<SubmissionStore, 'findSettled'>) {
  /** By submission, least recently looked up first. */
  const clients = new Map<string, Networks>()
  const { isFull, count } = createNetworkShares(MOST_OF_CLIENT)
  let doubtful = 0

  /** Removes submissions that settled or were not accepted. Ignores unknown ids. */
  function remove(submissionIds: readonly string[]): void {
    for (const submissionId of submissionIds) {
      const client = clients.get(submissionId)
      if (client === undefined) continue
      clients.delete(submissionId)
      count(client, -1)
    }
  }

  return {
    /** The reason to refuse a submission of this client. */
    closedReason: (client: Networks) => (isFull(client) ? new ServiceError('BACKLOG_SHARE') : undefined),
    add(submissionId: string, client: Networks): void {
      clients.set(submissionId, client)
      count(client, 1)
    },
    remove,
    /** Notes that submissions with unknown ids may have settled. */
    doubt(): void {
      doubtful = clients.size
    },
    /** Looks for such submissions, some at a time. */
    async look(): Promise<void> {
      if (doubtful === 0) return
      const looked = [...clients].slice(0, LOOK_UP)
      const settled = await store.findSettled(looked.map(([submissionId]) => submissionId))
      doubtful = Math.max(0, doubtful - LOOK_UP)
      remove(settled.map(({ submissionId }) => submissionId))
      for (const [submissionId, client] of looked) {
        // Move to the end, so that the others come first next time.
        if (clients.delete(submissionId)) clients.set(submissionId, client)
      }
    }
  }
}
