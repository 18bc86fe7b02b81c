import type { Delivery, Outbox, OutboxEvent } from '../../services/submission/store/outbox.ts'
import type { EventType } from '../../services/submission/store/payload.ts'

/** How long a claim reserves an event, in milliseconds. */
const RESERVED_MS = 60_000

interface Entry extends OutboxEvent {
  dueAt: number
  state: 'pending' | 'delivered' | 'given-up'
}

export interface MemoryOutbox extends Pick<Outbox, 'claim' | 'record'> {
  /** Writes an event as the newest of its submission, with that number of attempts made. */
  add(submissionId: string, type?: EventType, attempts?: number, createdAt?: number): void
  /** Number of events in that state. */
  count(state: Entry['state']): number
  /** Number of claims. */
  claims(): number
}

/** An in-memory `Outbox`. Events are claimed in the order written. */
export function memoryOutbox(now: () => number): MemoryOutbox {
  const entries: Entry[] = []
  let claims = 0

  function apply(delivery: Delivery): void {
    const { submissionId, type, attempts, outcome } = delivery
    const entry = entries.find(entry => entry.submissionId === submissionId && entry.type === type)
    if (entry === undefined) return
    if (outcome === 'delivered') entry.state = 'delivered'
    else if (entry.attempts !== attempts) return
    else if (outcome === 'given-up') entry.state = 'given-up'
    else entry.dueAt = now() + delivery.delayMs
  }

  return {
    add(submissionId, type = 'submission.committed', attempts = 0, createdAt = now()) {
      entries.push({
        eventId: `msg_${submissionId}_${type}`,
        submissionId,
        type,
        receiver: 'default',
        payload: JSON.stringify({ type, data: { submissionId } }),
        createdAt,
        attempts,
        redeliveries: 0,
        dueAt: now(),
        state: 'pending'
      })
    },
    count: state => entries.filter(entry => entry.state === state).length,
    claims: () => claims,
    async claim(limit) {
      claims += 1
      const due: Entry[] = []
      const seen = new Set<string>()
      for (const entry of entries) {
        if (due.length === limit) break
        if (entry.state !== 'pending' || seen.has(entry.submissionId)) continue
        seen.add(entry.submissionId)
        if (entry.dueAt <= now()) due.push(entry)
      }
      for (const entry of due) {
        entry.attempts += 1
        entry.dueAt = now() + RESERVED_MS
      }
      return due.map(({ dueAt: _dueAt, state: _state, ...event }) => event)
    },
    async record(deliveries) {
      for (const delivery of deliveries) apply(delivery)
    }
  }
}
