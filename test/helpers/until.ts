import { setTimeout as delay } from 'node:timers/promises'

/** How long a test waits for a condition before it fails: enough for a slow machine. */
export const PATIENCE_MS = 600_000

const INTERVAL_MS = 20

/**
 * Polls until the condition returns something other than false or undefined, and returns that.
 * @param what describes the condition in the error after PATIENCE_MS
 */
export async function until<T>(
  condition: () => T | false | undefined | Promise<T | false | undefined>,
  what: string
): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const met = await condition()
    if (met !== false && met !== undefined) return met
    if (performance.now() > deadline)
      throw new Error(`Timed out after ${PATIENCE_MS / 1000} s waiting until ${what}`)
    await delay(INTERVAL_MS)
  }
}
