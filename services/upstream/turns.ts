import { UpstreamBusyError } from './errors.ts'

/**
 * Bounds how many calls run and wait at the same time. Those that wait get their turn in the order in which they came.
 * @param name of the upstream, for the error
 * @param bounds.running the most calls that run
 * @param bounds.waiting the most calls that wait beside them
 * @returns a function that makes a call when its turn has come. A signal ends the wait for the turn and for the answer.
 *   The turn ends with the call itself. It throws UpstreamBusyError at once when too many wait, and the reason of the signal
 */
export function createTurns(
  name: string,
  bounds: { running: number; waiting: number }
): <T>(call: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
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
    if (running < bounds.running) running += 1
    else if (waiting.size < bounds.waiting) await turn(signal)
    else throw new UpstreamBusyError(name)
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
