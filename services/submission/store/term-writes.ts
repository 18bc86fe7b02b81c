import { StoreConflictError, TermEndedError } from './errors.ts'
import { toEpoch } from './rows.ts'
import { type Database, forUpdate, type Queries, sql, type Transaction } from './sql.ts'

/** A wallet in a database, with the time by which all that use it write. */
export interface Home {
  database: Database
  /** The number by which the database knows the wallet. */
  wallet: number
  /** In milliseconds since the epoch. */
  now: () => number
}

/** Runs work as one transaction of a term. */
export type TermWrite = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>

/**
 * The writes of one term. Each first locks the term, so that no other begins until its end.
 * @param options.ended aborted once this process knows that the term is over
 * @throws TermEndedError once a newer one has begun; nothing is changed
 */
export function createTermWrites(options: Home & { epoch: number; ended?: AbortSignal }): TermWrite {
  const { database, wallet, epoch, ended } = options
  return async work => {
    if (ended?.aborted) throw new TermEndedError()
    return database.transaction(async transaction => {
      const term = transaction.get(
        sql`SELECT epoch FROM wallet WHERE wallet_id = ${wallet} AND epoch = ${epoch} ${forUpdate}`
      )
      // Its first statements are under way before the answer is awaited.
      const [present, result] = await Promise.allSettled([term, work(transaction)])
      if (present.status === 'rejected') throw present.reason
      if (present.value === undefined) throw new TermEndedError()
      if (result.status === 'rejected') throw result.reason
      return result.value
    })
  }
}

/** Waits for statements that are sent together. @throws the error of the first one that failed */
export async function allOf<T extends readonly unknown[]>(
  ...steps: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(steps)
  for (const step of steps) await step
  return Promise.all(steps)
}

/** Waits for a write. @throws StoreConflictError when it changed another number of rows */
export async function expectChanges(count: number, changes: Promise<number>, conflict: string) {
  if ((await changes) !== count) throw new StoreConflictError(conflict)
}

/** Ends the present term of a wallet and begins the next one. @returns its epoch */
export async function nextEpoch({ all }: Queries, wallet: number): Promise<number> {
  const next = sql`UPDATE wallet SET epoch = epoch + 1 WHERE wallet_id = ${wallet} RETURNING epoch`
  const [row] = await all(next)
  return toEpoch(row)
}
