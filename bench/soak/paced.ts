import { setTimeout as delay } from 'node:timers/promises'

const TICK_MS = 10

/** More at the same time would measure a machine that does not keep up. */
const MOST_UNDER_WAY = 5000

/**
 * Starts `action` so many times in each second, however long each takes, and waits for the end of all.
 * @param action never rejects
 * @param more whether another may start
 */
export async function atRate(
  perSecond: number,
  action: () => Promise<unknown>,
  more: () => boolean
): Promise<void> {
  const underWay = new Set<Promise<unknown>>()
  const startedAt = performance.now()

  for (let started = 0; more(); await delay(TICK_MS)) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    for (; started < due && underWay.size < MOST_UNDER_WAY; started++) {
      const running = action().finally(() => underWay.delete(running))
      underWay.add(running)
    }
  }
  await Promise.all(underWay)
}
