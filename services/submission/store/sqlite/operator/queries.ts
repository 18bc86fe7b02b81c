import { identityKey } from '../../../identities.ts'
import type { EventSelection, OperatorQueries } from '../../operator-store.ts'
import { STORED_EVENT_COLUMNS, toStoredEvents } from '../../rows/event-rows.ts'
import { toCount, toSignerState, toVariant } from '../../rows/index.ts'
import { storedColumns, toStoredSlot, toStoredSubmission } from '../../rows/operator-rows.ts'
import { readEach, throwDamage } from '../../rows/read-each.ts'
import type { Connection } from '../database.ts'
import { preparing } from '../statements.ts'

const STORED_COLUMNS = storedColumns('json_group_array(key)')

/** The condition of an `EventSelection`. */
export const SELECTED_EVENTS = `state IN (SELECT value FROM json_each(:states))
  AND submission_id = coalesce(:submissionId, submission_id) AND type = coalesce(:type, type)`

/** The parameters of `SELECTED_EVENTS`. */
export function named({ states, submissionId, type }: EventSelection) {
  return { states: JSON.stringify(states), submissionId: submissionId ?? null, type: type ?? null }
}

export function createOperatorQueries(connection: Connection): OperatorQueries {
  const { query } = preparing(connection)
  const signer = query('SELECT * FROM signer')
  const list = query(
    `SELECT ${STORED_COLUMNS} FROM submission
     WHERE status IN (SELECT value FROM json_each(:states)) AND updated_at < :changedBefore
     ORDER BY position LIMIT :limit`
  )
  const find = query(`SELECT ${STORED_COLUMNS} FROM submission WHERE submission_id = :submissionId`)
  const withIdentity = query(
    `SELECT ${STORED_COLUMNS} FROM submission
     WHERE position = (SELECT position FROM identity WHERE key = :key)`
  )
  const slot = query('SELECT * FROM slot WHERE sequence = :sequence')
  const newestTxId = query('SELECT coalesce(max(tx_id), 0) AS count FROM submission')
  const openSlots = query('SELECT * FROM slot WHERE origin IS NULL ORDER BY sequence')
  const variants = query('SELECT * FROM variant WHERE sequence = :sequence ORDER BY position')
  const events = query(
    `SELECT ${STORED_EVENT_COLUMNS} FROM event WHERE ${SELECTED_EVENTS} ORDER BY position LIMIT :limit`
  )
  const stored = (row: unknown) => (row === undefined ? undefined : toStoredSubmission(row))

  return {
    async signer() {
      const row = signer.get({})
      return row === undefined ? undefined : toSignerState(row)
    },
    list: async ({ states, changedBefore, limit }, onDamage = throwDamage) =>
      readEach(
        list.all({ states: JSON.stringify(states), changedBefore, limit }),
        toStoredSubmission,
        onDamage
      ),
    find: async submissionId => stored(find.get({ submissionId })),
    withIdentity: async identity => stored(withIdentity.get({ key: identityKey(identity) })),
    async slot(sequence) {
      const row = slot.get({ sequence })
      return row === undefined ? undefined : toStoredSlot(row)
    },
    newestTxId: async () => toCount(newestTxId.get({})),
    openSlots: async () => openSlots.all({}).map(toStoredSlot),
    variants: async sequence => variants.all({ sequence }).map(toVariant),
    events: async (selection, limit) => toStoredEvents(events.all({ ...named(selection), limit }))
  }
}
