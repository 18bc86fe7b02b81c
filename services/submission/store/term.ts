import { TermEndedError } from '../errors.ts'
import { toEpoch } from './rows.ts'
import { forUpdate, type StoreContext, type Transaction } from './sql.ts'

/** Runs work as one transaction of a term. */
export type TermWrite = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>

/**
 * Creates the function that runs the writes of one term.
 * @param ended aborted once this process detects that the term has ended
 * @throws TermEndedError once a newer term has begun; nothing is changed
 */
export function termWrites(
  { database, wallet }: StoreContext,
  epoch: number,
  ended?: AbortSignal
): TermWrite {
  return async work => {
    if (ended?.aborted) throw new TermEndedError()
    return database.transaction(async transaction => {
      const term = transaction.get`SELECT epoch FROM wallet
        WHERE wallet_id = ${wallet} AND epoch = ${epoch} ${forUpdate}`
      // A leader might have lost its lock without noticing, so each write first locks the row of its epoch. A newer term
      // can then begin only after this transaction. If a newer term has already begun, the epoch differs and nothing is
      // written. The first statements of the work are sent without waiting for the lock.
      const [present, result] = await Promise.allSettled([term, work(transaction)])
      if (present.status === 'rejected') throw present.reason
      if (present.value === undefined) throw new TermEndedError()
      if (result.status === 'rejected') throw result.reason
      return result.value
    })
  }
}

/** Ends the current term of a wallet and begins the next one. @returns the new epoch */
export async function nextEpoch({ database, wallet }: StoreContext): Promise<number> {
  const row = await database.get`UPDATE wallet SET epoch = epoch + 1
    WHERE wallet_id = ${wallet} RETURNING epoch`
  return toEpoch(row).epoch
}
