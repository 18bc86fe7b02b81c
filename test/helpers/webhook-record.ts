import type { Test } from './tap.ts'
import type { ReceivedEvent } from './webhook-receiver.ts'

/** Returns the ids of all events for submissions that are committed and whose transfers are final. */
export const expectedIds = (submissionIds: readonly string[]) =>
  submissionIds.flatMap(id => [`msg_${id}_committed`, `msg_${id}_finished`]).sort()

export const idsOf = (events: readonly ReceivedEvent[]) => [...new Set(events.map(({ id }) => id))].sort()

/** Asserts that events with the same id are equal, and that each submission's events first arrived in order. */
export function assertConsistent(t: Test, events: readonly ReceivedEvent[]): void {
  const first = new Map<string, ReceivedEvent>()
  for (const event of events) {
    const known = first.get(event.id)
    if (known === undefined) first.set(event.id, event)
    else t.strictSame(event, known, 'a repeated event is unchanged')
  }
  const order = [...first.keys()]
  const early = order.filter(
    (id, at) =>
      id.endsWith('_finished') && !order.slice(0, at).includes(id.replace('_finished', '_committed'))
  )
  t.strictSame(early, [], 'no transfer.finished event arrives before submission.committed')
}
