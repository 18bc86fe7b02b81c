import { identityKey } from '../../../identities.ts'
import type { OperatorQueries, StoredSubmission } from '../../operator-store.ts'
import { toStoredEvents } from '../../rows/event-rows.ts'
import { toCount, toSignerState, toVariant } from '../../rows/index.ts'
import { toStoredSlot, toStoredSubmission } from '../../rows/operator-rows.ts'
import { readEach, throwDamage } from '../../rows/read-each.ts'
import type { Queries } from '../queries.ts'
import { originalKey, storedKey } from '../stored-key.ts'
import { named, operatorSql as sql } from './statements.ts'

/** What an operator reads of one wallet. */
export function createOperatorQueries({ all, get }: Queries, wallet: number): OperatorQueries {
  function stored(row: unknown): StoredSubmission {
    const submission = toStoredSubmission(row)
    return { ...submission, identities: submission.identities.map(originalKey) }
  }

  return {
    async signer() {
      const row = await get(sql.signer, { wallet })
      return row === undefined ? undefined : toSignerState(row)
    },
    list: async (selection, onDamage = throwDamage) =>
      readEach(await all(sql.list, { wallet, ...selection }), stored, onDamage),
    async find(submissionId) {
      const row = await get(sql.findStored, { wallet, submissionId })
      return row === undefined ? undefined : stored(row)
    },
    async withIdentity(identity) {
      const row = await get(sql.withIdentity, { wallet, key: storedKey(identityKey(identity)) })
      return row === undefined ? undefined : stored(row)
    },
    async slot(sequence) {
      const row = await get(sql.slot, { wallet, sequence })
      return row === undefined ? undefined : toStoredSlot(row)
    },
    newestTxId: async () => toCount(await get(sql.newestTxId, { wallet })),
    openSlots: async () => (await all(sql.openSlots, { wallet })).map(toStoredSlot),
    variants: async sequence => (await all(sql.variants, { wallet, sequence })).map(toVariant),
    events: async (selection, limit) =>
      toStoredEvents(await all(sql.events, { wallet, ...named(selection), limit }))
  }
}
