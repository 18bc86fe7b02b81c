import { setTimeout as delay } from 'node:timers/promises'

/** The engine's only source of time, so that a simulation can drive it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: Date.now,
  async sleep(ms, signal) {
    // An aborted wait is an ended wait, not an error.
    await delay(ms, undefined, { signal }).catch(() => {})
  }
}
