import { createOutbox } from '../../../services/submission/store/outbox.ts'
import type { EventType } from '../../../services/submission/store/payload.ts'
import { toCount } from '../../../services/submission/store/rows.ts'
import { insertInto, sql } from '../../../services/submission/store/sql.ts'
import { createMemoryDatabase } from '../../simulation/store/memory-database.ts'

/** An in-memory outbox to which a test writes events. */
export function memoryOutbox(now: () => number) {
  const { context } = createMemoryDatabase(now)
  const { database, wallet } = context
  const outbox = createOutbox(context)
  let claims = 0

  return {
    ...outbox,
    claim(limit: number) {
      claims += 1
      return outbox.claim(limit)
    },
    claims: () => claims,
    /** Writes one event per submission, newer than the submission's earlier events. */
    async add(
      submissionIds: readonly string[],
      type: EventType = 'submission.committed',
      { attempts = 0, ageMs = 0 } = {}
    ) {
      const createdAt = now() - ageMs
      const payload = JSON.stringify({ type, timestamp: new Date(createdAt), data: {} })
      const times = { dueAt: now(), createdAt, updatedAt: createdAt }
      const rows = submissionIds.map(submissionId => {
        return { submissionId, type, payload, state: 'pending', attempts, ...times }
      })
      await database.transaction(({ run }) => run(insertInto('event', wallet, rows)))
    },
    async count(state: 'delivered' | 'abandoned') {
      return toCount(await database.get(sql`SELECT count(*) AS count FROM event WHERE state = ${state}`))
        .count
    }
  }
}
