import type { ComparableStore } from '../contract.ts'
import type { StoreCorruptError } from '../errors.ts'
import { identityKey } from '../identities.ts'
import { readEach, toRequest, toSubmission } from './rows.ts'
import { isAnyOf, type StoreContext, sql } from './sql.ts'

export function createComparable({ database, wallet }: StoreContext): ComparableStore {
  return {
    async comparable({ height, time }, requests) {
      // A submission that was settled before the block was made belongs to a former chain.
      const conditions = [sql`height = ${height} AND (settled_at IS NULL OR settled_at >= ${time})`]
      if (requests.length > 0) {
        const hashes = new Set(requests.map(({ transactionHash }) => transactionHash))
        const keys = requests.flatMap(({ identities }) => identities.map(identityKey))
        conditions.push(
          sql`transaction_hash ${isAnyOf([...hashes])}`,
          sql`submission_id IN (SELECT submission_id FROM identity
            WHERE wallet_id = ${wallet} AND key ${isAnyOf(keys)})`
        )
      }
      const selections = conditions.map(
        condition =>
          sql`SELECT * FROM submission WHERE wallet_id = ${wallet} AND ${condition} AND status <> 'damaged'`
      )
      const damages: StoreCorruptError[] = []
      const stored = readEach(
        await database.all(selections.reduce((all, one) => sql`${all} UNION ${one}`)),
        row => ({ submission: toSubmission(row), ...toRequest(row) }),
        damage => damages.push(damage)
      )
      return { stored, damages }
    }
  }
}
