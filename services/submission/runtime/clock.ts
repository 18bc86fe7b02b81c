/** The engine's only source of time, so that a simulation can drive it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back after `ms`; the answer takes it back. */
  after(ms: number, action: () => void): () => void
}

export const systemClock: Clock = {
  now: Date.now,
  after(ms, action) {
    const timer = setTimeout(action, ms)
    return () => clearTimeout(timer)
  }
}
