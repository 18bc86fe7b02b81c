import { Type } from '@sinclair/typebox'
import { checkFor } from '../../../schema-check.ts'
import { createTableReader } from '../rows/table-reader.ts'
import type { Database } from './database.ts'
import { storeSql as sql } from './statements.ts'

const submissions = createTableReader('submission', 'position')
const PositionRow = checkFor(Type.Object({ position: Type.Integer() }))

/** Deletes old submissions and slots, as `SubmissionStore.forget` describes it. */
export function forget(options: {
  database: Database
  wallet: number
  now: number
  keepMs: number
  limit: number
}): Promise<number> {
  const { database, wallet, limit } = options
  return database.atomically(async queries => {
    const rows = await queries.all(sql.findForgotten, options)
    const positions = rows.map(row => submissions.row(PositionRow, row).position)
    const [, , deleted, slots] = await Promise.all([
      queries.all(sql.lockIdentities, { wallet, positions }),
      queries.run(sql.forgetEvents, { wallet, positions }),
      queries.run(sql.forgetSubmissions, { wallet, positions }),
      queries.run(sql.forgetSlots, { wallet, limit })
    ])
    return deleted.changes + slots.changes
  })
}
