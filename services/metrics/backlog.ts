import type { Outbox } from '../submission/store/outbox.ts'
import type { SubmissionStore } from '../submission/store/types.ts'
import type { Instruments } from './instruments.ts'

/** What the gauges of webhooks show. */
export interface BacklogSources {
  outbox: Pick<Outbox, 'backlog'>
  store: Pick<SubmissionStore, 'now'>
}

/** @returns a function that sets the gauges of webhooks. What cannot be read has no value. */
export function createBacklogReport(
  { eventsPending, oldestEvent, eventsGivenUp, transfersWatched }: Instruments,
  { outbox, store }: BacklogSources
): () => Promise<void> {
  return async () => {
    try {
      const { pending, oldestPendingAt, givenUp, watched } = await outbox.backlog()
      const ageMs = oldestPendingAt === undefined ? 0 : Math.max(0, store.now() - oldestPendingAt)
      eventsPending.set(pending)
      oldestEvent.set(ageMs / 1000)
      eventsGivenUp.set(givenUp)
      transfersWatched.set(watched)
    } catch {
      // The check of the store fails as well, and has the reason in the log.
      for (const gauge of [eventsPending, oldestEvent, eventsGivenUp, transfersWatched]) gauge.set(Number.NaN)
    }
  }
}
