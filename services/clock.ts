/** The only source of time for the engine and the RPC nodes, so that the simulator can control it. */
export interface Clock {
  /** Milliseconds since the epoch, for display. The system clock can be set back. */
  now(): number
  /** Monotonic milliseconds, for durations and timeouts. */
  elapsed(): number
  /** Calls `action` after `ms` milliseconds. Returns a function that cancels the call. */
  after(ms: number, action: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms)
    return () => clearTimeout(timer)
  }
}
