/** Makes a call when its turn has come. A signal ends the wait for the turn and for the answer; the turn ends with the call itself. */
export type Turns = <T>(call: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/**
 * Bounds how many calls run at the same time. The others get their turn in the order in which they came.
 * @param most the most calls that run
 * @param queue the most calls that wait, and the error of all others; without it any number waits
 */
export function createTurns(most: number, queue?: { waiting: number; refusal: () => Error }): Turns {
  let running = 0
  const waiting = new Set<() => void>()

  function end(): void {
    const [next] = waiting
    if (next) next()
    else running -= 1
  }

  /** Resolves when the turn has come. */
  function turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        waiting.delete(start)
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.delete(start)
        reject(signal?.reason)
      }
      waiting.add(start)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  return async (call, signal) => {
    if (running < most) running += 1
    else if (queue && waiting.size >= queue.waiting) throw queue.refusal()
    else await turn(signal)
    const answer = call()
    answer.then(end, end)
    return signal ? Promise.race([answer, aborted(signal)]) : answer
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}
