import type { Logger } from '../logger.ts'
import type { Clock } from './clock.ts'

/** How long a loop rests after a step that threw. */
const ERROR_PAUSE_MS = 1000

/** A rest that only `wake` ends. */
export const UNTIL_WOKEN = Number.POSITIVE_INFINITY

/** One worker of the engine: it repeats a step, rests as long as the step says, and can be woken. */
export interface Loop {
  /** Starts the next step as soon as the present one is over. */
  wake(): void
  /** Ends the loop; resolves when the present step is over. */
  stop(): Promise<void>
}

/**
 * Starts a loop.
 * @param step one piece of work; answers how many milliseconds to rest, 0 to go on at once. A throw is logged
 *   and followed by a pause: no fault ends a loop.
 */
export function startLoop(
  name: string,
  step: () => Promise<number>,
  { clock, log }: { clock: Clock; log: Logger }
): Loop {
  let stopped = false
  let woken = false
  let rest: AbortController | undefined

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false
      const pause = await step().catch((err: unknown) => {
        log.error({ err, loop: name }, 'engine step failed')
        return ERROR_PAUSE_MS
      })
      if (pause === 0 || woken || stopped) continue
      const resting = new AbortController()
      rest = resting
      if (pause === UNTIL_WOKEN)
        await new Promise<void>(resolve => resting.signal.addEventListener('abort', () => resolve()))
      else await clock.sleep(pause, resting.signal)
      rest = undefined
    }
  }

  const finished = run()

  function wake(): void {
    woken = true
    rest?.abort()
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
