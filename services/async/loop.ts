import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'

const ERROR_PAUSE_MS = 1000

/** A pause that lasts until `wake` is called. */
export const UNTIL_WOKEN = Number.POSITIVE_INFINITY

export interface Loop {
  /** Ends the pause, or omits the next one. */
  wake(): void
  /** Resolves after the current step. */
  stop(): Promise<void>
}

/**
 * Starts a worker that repeats a step. After each step, the worker pauses for the time that the step returned, or until
 * `wake` is called. An error is logged, and the next step follows a second later.
 * @param step returns the pause in milliseconds
 */
export function startLoop(
  name: string,
  step: () => Promise<number>,
  { clock, log }: { clock: Clock; log?: Logger }
): Loop {
  let stopped = false
  let woken = false
  let endWait = () => {}
  let lastError: string | undefined

  async function attempt(): Promise<number> {
    try {
      const pause = await step()
      if (lastError !== undefined) log?.info({ loop: name }, `${name} loop recovered`)
      lastError = undefined
      return pause
    } catch (err) {
      const message = String(err)
      if (message !== lastError && !stopped)
        log?.error({ err, loop: name }, `${name} loop failed; retrying every second`)
      lastError = message
      return ERROR_PAUSE_MS
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false
      const pause = await attempt()
      if (pause === 0 || woken || stopped) continue
      await wait(pause)
    }
  }

  function wait(pause: number): Promise<void> {
    return new Promise(resolve => {
      const cancel = pause === UNTIL_WOKEN ? () => {} : clock.after(pause, resolve)
      endWait = () => {
        cancel()
        resolve()
      }
    })
  }

  const finished = run()

  function wake(): void {
    woken = true
    endWait()
  }

  return {
    wake,
    async stop() {
      stopped = true
      wake()
      await finished
    }
  }
}
