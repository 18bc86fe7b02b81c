import type { Clock } from '../clock.ts'

/**
 * Runs a call once the limit allows. Aborting the signal ends the caller's wait, but a running call keeps its slot
 * until it finishes.
 */
export type Limiter = <T>(call: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/**
 * Limits concurrent calls. Excess calls wait and start in order of arrival.
 * @param queue maximum number of waiting calls, and the error for any further call; unlimited if omitted
 * @param pace minimum time between the starts of two calls; none if omitted
 */
export function createLimiter(
  most: number,
  queue?: { waiting: number; refusal: () => Error },
  pace?: { gapMs: number; clock: Clock }
): Limiter {
  let running = 0
  let isPaused = false
  const waiting = new Set<() => void>()

  function startNext(): void {
    const [start] = waiting
    if (start && running < most && !isPaused) start()
  }

  function pause({ gapMs, clock }: NonNullable<typeof pace>): void {
    isPaused = true
    clock.after(gapMs, () => {
      isPaused = false
      startNext()
    })
  }

  return (call, signal) =>
    new Promise((resolve, reject) => {
      if (running >= most && queue && waiting.size >= queue.waiting) throw queue.refusal()
      const leave = () => {
        waiting.delete(start)
        reject(signal?.reason)
      }
      const start = () => {
        waiting.delete(start)
        running += 1
        if (pace) pause(pace)
        call()
          .then(resolve, reject)
          .finally(() => {
            signal?.removeEventListener('abort', leave)
            running -= 1
            startNext()
          })
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.add(start)
      startNext()
    })
}
