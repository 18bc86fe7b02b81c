import { ServiceError } from '../../errors/index.ts'
import { createNetworkShares, type Networks } from '../../http/network-shares.ts'
import type { SubmissionStore } from '../contract.ts'

/** A client may have 10 % of the backlog, an IPv6 /48 network 40 % (interface 6.43). */
const MOST_OF_CLIENT = 5000

const LOOK_UP = 5000

export type Shares = ReturnType<typeof createShares>

/**
 * Counts the unsettled submissions that this process accepted from each client, so that no client can fill the backlog.
 * Client addresses are kept only in memory, and no longer than needed.
 */
export function createShares(store: Pick<SubmissionStore, 'findSettled'>) {
  /** By submissionId, least recently looked up first. */
  const clients = new Map<string, Networks>()
  const { isFull, count } = createNetworkShares(MOST_OF_CLIENT)
  let doubtful = 0

  function remove(submissionIds: readonly string[]): void {
    for (const submissionId of submissionIds) {
      const client = clients.get(submissionId)
      if (client === undefined) continue
      clients.delete(submissionId)
      count(client, -1)
    }
  }

  return {
    closedReason: (client: Networks) => (isFull(client) ? new ServiceError('BACKLOG_SHARE') : undefined),
    add(submissionId: string, client: Networks): void {
      clients.set(submissionId, client)
      count(client, 1)
    },
    remove,
    /** Records that submissions may have been settled without a notification of their ids. */
    doubt(): void {
      doubtful = clients.size
    },
    /** After `doubt`, looks up counted submissions, up to LOOK_UP per call, and removes the settled ones. */
    async look(): Promise<void> {
      if (doubtful === 0) return
      const looked = [...clients].slice(0, LOOK_UP)
      const settled = await store.findSettled(looked.map(([submissionId]) => submissionId))
      doubtful = Math.max(0, doubtful - LOOK_UP)
      remove(settled.map(({ submissionId }) => submissionId))
      for (const [submissionId, client] of looked) {
        // Move the submission to the end, so that the next call looks up others first.
        if (clients.delete(submissionId)) clients.set(submissionId, client)
      }
    }
  }
}
