/** Calls `tick` at a steady period. */
export interface Clock {
  start(): void
  stop(): void
  setPeriod(ms: number): void
}

/**
 * Creates a clock that ticks at multiples of the period, counted from its start, however long a tick takes. Ticks
 * that a slow one overlaps are skipped.
 */
export function createClock(initialPeriod: number, tick: () => void): Clock {
  let period = initialPeriod
  let timer: NodeJS.Timeout | undefined
  let due = 0

  function schedule(): void {
    due += period
    const now = performance.now()
    if (due < now) due += Math.ceil((now - due) / period) * period
    const current = setTimeout(() => {
      tick()
      // The tick itself may have stopped or restarted the clock.
      if (timer === current) schedule()
    }, due - now)
    timer = current
  }

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
  }

  function start(): void {
    if (timer) return
    due = performance.now()
    schedule()
  }

  return {
    start,
    stop,
    setPeriod(ms) {
      period = ms
      if (!timer) return
      stop()
      start()
    }
  }
}
