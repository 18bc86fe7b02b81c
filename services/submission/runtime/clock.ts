/** The engine's only source of time, so that the simulator can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back after `ms` milliseconds. @returns a function that cancels the call */
  after(ms: number, action: () => void): () => void
}

export const systemClock: Clock = {
  now: Date.now,
  after(ms, action) {
    const timer = setTimeout(action, ms)
    return () => clearTimeout(timer)
  }
}
