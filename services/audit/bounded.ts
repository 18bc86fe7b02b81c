import type { AuditEntry } from './index.ts'

/** So many lines of an actor are written in a minute. */
const MOST_LINES = 60
const MINUTE_MS = 60_000

/**
 * Bounds the lines about what anyone can cause, for each actor by itself. After a minute with more, one line has the number that was
 * dropped.
 * @param append writes a line
 * @returns `close` writes the lines about what was dropped until now
 */
export function boundedLines(append: (entry: AuditEntry) => Promise<void>) {
  const minutes = new Map<string, { lines: number; latest: AuditEntry; timer: NodeJS.Timeout }>()

  async function end(actor: string): Promise<void> {
    const minute = minutes.get(actor)
    if (minute === undefined) return
    minutes.delete(actor)
    clearTimeout(minute.timer)
    const dropped = minute.lines - MOST_LINES
    if (dropped > 0) await append({ ...minute.latest, details: { dropped } })
  }

  return {
    async append(entry: AuditEntry): Promise<void> {
      const { actor } = entry
      const { lines = 0, timer = setTimeout(end, MINUTE_MS, actor).unref() } = minutes.get(actor) ?? {}
      minutes.set(actor, { lines: lines + 1, latest: entry, timer })
      if (lines < MOST_LINES) await append(entry)
    },
    async close(): Promise<void> {
      for (const actor of minutes.keys()) await end(actor)
    }
  }
}
