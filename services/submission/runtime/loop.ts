import type { Logger } from '../../logger.ts'
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
  let endRest = () => {}
  let fault: string | undefined

  /** Logs a fault when it comes and when it goes, not each time that it is met again. */
  async function attempt(): Promise<number> {
    try {
      const pause = await step()
      if (fault !== undefined) log.info({ loop: name }, 'engine works again')
      fault = undefined
      return pause
    } catch (err) {
      const met = String(err)
      if (met !== fault) log.error({ err, loop: name }, 'engine step failed; trying again every second')
      fault = met
      return ERROR_PAUSE_MS
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false
      const pause = await attempt()
      if (pause === 0 || woken || stopped) continue
      await rest(pause)
    }
  }

  function rest(pause: number): Promise<void> {
    return new Promise(resolve => {
      const cancel = pause === UNTIL_WOKEN ? () => {} : clock.after(pause, resolve)
      endRest = () => {
        cancel()
        resolve()
      }
    })
  }

  const finished = run()

  function wake(): void {
    woken = true
    endRest()
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
