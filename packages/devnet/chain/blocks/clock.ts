/** Calls `tick` at a steady period. */
export interface Clock {
  start(): void
  stop(): void
  setPeriod(ms: number): void
}

export function createClock(initialPeriod: number, tick: () => void): Clock {
  let period = initialPeriod
  let timer: NodeJS.Timeout | undefined

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  function start(): void {
    timer ??= setInterval(tick, period)
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
