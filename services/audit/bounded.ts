import type { AuditEntry } from './index.ts'

/** Maximum lines per actor per minute. */
const MOST_LINES = 60
const MINUTE_MS = 60_000

/**
 * Limits audit lines about actions that anyone can trigger, separately for each actor. If lines were dropped during a
 * minute, one line reports their number.
 * @param append writes a line
 * @returns `append`, which writes or drops a line, and `close`, which reports the number of lines dropped so far
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
