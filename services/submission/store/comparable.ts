import type { ComparableStore } from '../contract.ts'
import type { StoreCorruptError } from '../errors.ts'
import { identityKey } from '../identities.ts'
import { readEach, toRequest, toSubmission } from './rows.ts'
import { isAnyOf, type Sql, type StoreContext, sql, union } from './sql.ts'

export function createComparable({ database, wallet }: StoreContext): ComparableStore {
  return {
    async comparable({ height, time }, requests) {
      // Exclude a submission that was settled before the block was made: it belongs to a former chain.
      const ids = (condition: Sql) =>
        sql`SELECT submission_id FROM submission WHERE wallet_id = ${wallet} AND ${condition}`
      const selections = [ids(sql`height = ${height} AND (settled_at IS NULL OR settled_at >= ${time})`)]
      if (requests.length > 0) {
        const hashes = new Set(requests.map(({ transactionHash }) => transactionHash))
        const keys = requests.flatMap(({ identities }) => identities.map(identityKey))
        selections.push(
          ids(sql`transaction_hash ${isAnyOf([...hashes])}`),
          sql`SELECT submission_id FROM identity WHERE wallet_id = ${wallet} AND key ${isAnyOf(keys)}`
        )
      }
      const damages: StoreCorruptError[] = []
      const stored = readEach(
        await database.all`SELECT * FROM submission WHERE wallet_id = ${wallet} AND status <> 'damaged'
          AND submission_id IN (${union(selections)})`,
        row => ({ submission: toSubmission(row), ...toRequest(row) }),
        damage => damages.push(damage)
      )
      return { stored, damages }
    }
  }
}
