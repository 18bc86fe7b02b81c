/** Calls `tick` at a steady period. */
export interface Clock {
  start(): void
  stop(): void
}

export function createClock(period: number, tick: () => void): Clock {
  let timer: NodeJS.Timeout | undefined
  return {
    start() {
      timer ??= setInterval(tick, period)
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    }
  }
}
