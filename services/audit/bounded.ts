import type { AuditEntry } from './index.ts'

const MOST_LINES = 60
const MINUTE_MS = 60_000

/**
 * Limits audit lines about actions that anyone can trigger to 60 per actor and minute. One more line per minute reports
 * how many were dropped; `close` writes it early.
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
