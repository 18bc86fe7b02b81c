import { setTimeout as delay } from 'node:timers/promises'

/** How long a test waits for a condition before it fails: enough for a slow machine. */
export const PATIENCE_MS = 600_000

const INTERVAL_MS = 20

/**
 * Polls a condition until it returns something other than false or undefined.
 * @param what describes the condition in the error
 * @returns the condition's value
 * @throws Error if the condition is not met within PATIENCE_MS, and any error that the condition throws
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
