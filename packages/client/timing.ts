import { backoffMs } from '../../services/async/backoff.ts'
import { ClientError } from './errors.ts'

/** The clock and the timeouts, in milliseconds. Tests replace them. */
export interface Timing {
  now(): number
  /** @throws ClientError ABORTED when the signal is aborted */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>
  /** Timeout for a request. Longer than the service waits for a block (interface 6.27). */
  requestMs: number
  /** Timeout for the first state of an event stream. Behind a buffering proxy, the state never arrives. */
  firstStateMs: number
  /** Timeout for further bytes of an event stream. The service sends bytes every 15 seconds. */
  silenceMs: number
}

export const systemTiming: Timing = {
  now: () => performance.now(),
  wait,
  requestMs: 90_000,
  firstStateMs: 10_000,
  silenceMs: 40_000
}

/** How long to keep retrying transient failures after the last success. */
export const PATIENCE_MS = 120_000

const PAUSES = { firstMs: 1_000, longestMs: 30_000 }

/**
 * Returns the pause before the next attempt: `retryAfter` if given, otherwise 1, 2, 4 … up to 30 seconds
 * (docs/errors.md), plus up to 25 % jitter. A proxy might send a `retryAfter` of zero, or one that overflows the timer,
 * which would then fire immediately.
 * @param failures number of consecutive failed attempts
 */
export function pauseAfter(failures: number, retryAfter: number | undefined): number {
  const pause = retryAfter ?? backoffMs(failures, PAUSES)
  return Math.min(PATIENCE_MS, Math.max(PAUSES.firstMs, pause)) * (1 + Math.random() / 4)
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      letGo()
      resolve()
    }, ms)
    const letGo = onAbort(signal, () => {
      clearTimeout(timer)
      reject(aborted(signal))
    })
  })
}

/** Abort actions by signal. They share a listener, because Node warns of a leak above ten listeners. */
const endedBy = new WeakMap<EventTarget, Set<() => void>>()

function endAll({ target }: Event): void {
  if (target === null) return
  for (const act of endedBy.get(target) ?? []) act()
  endedBy.delete(target)
}

/**
 * Runs an action when the signal is aborted, or immediately if it already is.
 * @returns a function that removes the action; call it when done, because the signal might outlive the call
 */
function onAbort(signal: AbortSignal | undefined, action: () => void): () => void {
  if (signal?.aborted) action()
  if (signal === undefined || signal.aborted) return () => {}
  const actions = endedBy.get(signal) ?? new Set()
  endedBy.set(signal, actions.add(action))
  signal.addEventListener('abort', endAll, { once: true })
  return () => {
    actions.delete(action)
    if (actions.size === 0) signal.removeEventListener('abort', endAll)
  }
}

export function aborted(signal: AbortSignal | undefined): ClientError {
  return new ClientError('The call was aborted', { code: 'ABORTED' }, { cause: signal?.reason })
}

/** Returns a deadline that aborts a request when the caller's signal is aborted or the request times out. */
export function startDeadline(signal: AbortSignal | undefined, ms: number) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
  })
  // Avoids an unhandled rejection if `race` is not pending.
  ended.catch(() => {})
  let timer = setTimeout(abort, ms)
  const letGo = onAbort(signal, abort)
  return {
    get signal(): AbortSignal {
      return controller.signal
    },
    /**
     * Waits for part of the request, up to the deadline. In Node 20, a garbage-collected Request loses its signal, so
     * fetch could hang.
     */
    race: <T>(part: Promise<T>): Promise<T> => Promise.race([part, ended]),
    /** Restarts the timer. */
    extend(ms: number): void {
      clearTimeout(timer)
      timer = setTimeout(abort, ms)
    },
    /** Stops the timer. */
    hold: (): void => clearTimeout(timer),
    /** Aborts the request if it is still running, and releases the caller's signal. */
    end(): void {
      clearTimeout(timer)
      letGo()
      abort()
    }
  }
}
