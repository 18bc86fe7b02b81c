/** The only source of time of the engine and of the RPC nodes, so that the simulator can control it. */
export interface Clock {
  /** Milliseconds since the epoch, for what people read. The system's time may be set back. */
  now(): number
  /** Milliseconds that never go back, for how long something took or may take. */
  elapsed(): number
  /** Calls back after `ms` milliseconds. @returns a function that cancels the call */
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
