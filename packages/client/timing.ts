import { ClientError } from './errors.ts'

/** Clock and limits, in milliseconds; tests have others. */
export interface Timing {
  now(): number
  /** @throws ClientError ABORTED when the signal ends the pause */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>
  /** How long one request may take. Longer than the service waits for a block (interface 6.27). */
  requestMs: number
  /** How long a stream of events may take for its first state. A proxy that buffers never sends it. */
  firstStateMs: number
  /** How long a stream may be silent; the service sends something every 15 seconds. */
  silenceMs: number
}

export const systemTiming: Timing = {
  now: () => performance.now(),
  wait,
  requestMs: 90_000,
  firstStateMs: 10_000,
  silenceMs: 40_000
}

/** How long calls that fail for a passing reason are repeated, while none succeeds. */
export const PATIENCE_MS = 120_000

const SHORTEST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

/**
 * The pause before the next attempt: what the service asked for, otherwise 1, 2, 4 … up to 30 seconds (docs/errors.md), and
 * up to a quarter more, so that clients which failed together do not come back together. A proxy may ask for no pause, or for
 * one of years, at which a timer would end at once.
 * @param failures how many attempts have failed in a row
 */
export function pauseAfter(failures: number, retryAfter: number | undefined): number {
  const pause = retryAfter ?? Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures)
  return Math.min(PATIENCE_MS, Math.max(SHORTEST_PAUSE_MS, pause)) * (1 + Math.random() / 4)
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

/** What each signal ends. Node warns of a leak where one has more than ten listeners; it has one for all calls. */
const endedBy = new WeakMap<EventTarget, Set<() => void>>()

function endAll({ target }: Event): void {
  if (target === null) return
  for (const act of endedBy.get(target) ?? []) act()
  endedBy.delete(target)
}

/**
 * Runs an action when the signal is aborted, or at once when it has been.
 * @returns how to let go of the signal, which may outlive the call
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

/** The time of one request: it ends with the caller's signal, and when the request takes too long. */
export interface Deadline {
  readonly signal: AbortSignal
  /**
   * Waits for a part of the request, until the time ends. Node 20 forgets the signal of a Request when it collects the
   * Request as garbage, so that fetch alone may wait for ever.
   */
  race<T>(part: Promise<T>): Promise<T>
  /** Starts the time anew. */
  extend(ms: number): void
  /** Stops the time. */
  hold(): void
  /** Ends the request where it still runs, and lets go of the caller's signal. */
  end(): void
}

export function startDeadline(signal: AbortSignal | undefined, ms: number): Deadline {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
  })
  // Nobody may be waiting when the time ends.
  ended.catch(() => {})
  let timer = setTimeout(abort, ms)
  const letGo = onAbort(signal, abort)
  return {
    signal: controller.signal,
    race: part => Promise.race([part, ended]),
    extend(ms) {
      clearTimeout(timer)
      timer = setTimeout(abort, ms)
    },
    hold: () => clearTimeout(timer),
    end() {
      clearTimeout(timer)
      letGo()
      abort()
    }
  }
}
