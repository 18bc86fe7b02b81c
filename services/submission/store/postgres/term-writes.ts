import { TermEndedError } from '../errors.ts'
import type { Database } from './database.ts'
import { engineSql as sql } from './engine-statements.ts'
import { createEngineWrites, type EngineWrites, type SettledWriter } from './engine-writes.ts'

/**
 * The writes of one term.
 * @returns a function that runs writes as one database transaction, which first locks the term
 */
export function createTermWrites(options: {
  database: Database
  wallet: number
  epoch: number
  now: () => number
  /** Where there is one, what settles a submission writes its event. */
  outbox?: SettledWriter | undefined
}) {
  const { database, wallet, epoch, now, outbox } = options

  return function write<T = void>(work: (writes: EngineWrites) => Promise<T> | T): Promise<T> {
    return database.atomically(async queries => {
      const term = queries.get(sql.lockTerm, { wallet, epoch })
      const writes = createEngineWrites({ queries, wallet, now, outbox })
      // All of it is under way before the first answer is awaited.
      const result = Promise.resolve(work(writes))
      const [row] = await Promise.allSettled([term, result, writes.done()])
      if (row.status === 'fulfilled' && row.value === undefined) throw new TermEndedError()
      await Promise.all([term, writes.done()])
      return result
    })
  }
}
