/** Responses by operation and status. */
export type Seen = Record<string, Record<string, unknown>>

/** What differs on every run, in a body's JSON. */
const VOLATILE = [
  /\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b|\b[\da-f]{12}-\d\b/gi, // ids
  /\b(0x)?[\da-f]{60,}\b/gi, // hashes
  /\btb1q[\da-z]{50,}/g, // addresses of locks
  /\b\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[7-9]\d{8}(\d{3})?\b/g, // times
  /, \d+ proven up to block \d+, \d+ differences/g, // once results were verified
  /\b(height|block|gasUsed|gasWanted)\b\W+\d+/g,
  /\\nid: [\w-]+/g, // of an event in a stream
  /(?<=_seconds_total )[\d.]+/g,
  /\b(queued|broadcast)\b/g
]

const stable = (body: unknown) =>
  VOLATILE.reduce((text, each) => text.replace(each, ''), JSON.stringify(body ?? null))

/** Returns what was seen, but keeps each recorded body that differs only in volatile values. */
export function mergeExamples(recorded: Seen, seen: Seen): Seen {
  const merged = structuredClone(seen)
  for (const [operationId, bodies] of Object.entries(merged))
    for (const [status, body] of Object.entries(bodies)) {
      const before = recorded[operationId]?.[status]
      if (stable(before) === stable(body)) bodies[status] = before
    }
  return merged
}
