/** How often to look whether the event loop is on time, in milliseconds. */
const LOOK_MS = 20

/** From when on the event loop is late, in milliseconds. It bounds how long `/health` waits for what is admitted. */
const LATE_MS = 40

/** How long the event loop may be late before requests are refused, in milliseconds: a burst is worked off. */
const PATIENCE_MS = 1000

export interface OverloadWatch {
  /** Whether new requests have to be refused for the others to be answered in time (interface 21.8). */
  isOverloaded(): boolean
  stop(): void
}

/**
 * Watches how late the event loop is. It is asked at each request, not sampled: one turn of the loop may hold thousands of
 * requests. When the loop was late for a second, each turn admits what it can do in a few hundredths of a second.
 * @param onChange called when requests begin to be refused, and when the loop is on time again
 */
export function watchOverload(onChange: (isOverloaded: boolean) => void): OverloadWatch {
  let due = performance.now() + LOOK_MS
  let onTimeAt = performance.now()
  let isRefusing = false

  const timer = setInterval(() => {
    const now = performance.now()
    if (now - due <= LATE_MS) {
      onTimeAt = now
      if (isRefusing) onChange(false)
      isRefusing = false
    }
    due = now + LOOK_MS
  }, LOOK_MS).unref()

  return {
    isOverloaded() {
      const now = performance.now()
      if (now - due <= LATE_MS || now - onTimeAt <= PATIENCE_MS) return false
      if (!isRefusing) onChange(true)
      isRefusing = true
      return true
    },
    stop: () => clearInterval(timer)
  }
}
