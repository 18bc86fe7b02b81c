import type { Context } from '../context.ts'

/** Maximum number of calls at the same clock time. More calls indicate an infinite loop. */
const MOST_CALLS_AT_ONCE = 20_000

export type Process = ReturnType<typeof createProcess>

const forever = <T>() => new Promise<T>(() => {})

/** Creates a process, which can die at any outgoing call, or be paused while its calls continue. */
export function createProcess(name: string, { clock, dice, trace, fail }: Context, isCutOff: () => boolean) {
  const callbacks: (() => void)[] = []
  const callListeners: (() => void)[] = []
  let resumed: Promise<void> | undefined
  let isAlive = true
  let calls = 0
  let countedAt = 0

  function die(reason: string): void {
    if (!isAlive) return
    isAlive = false
    trace(() => `${name}: dies ${reason}`)
    for (const callback of callbacks) callback()
  }

  function count(what: string): void {
    if (countedAt !== clock.elapsed()) calls = 0
    countedAt = clock.elapsed()
    calls += 1
    if (calls <= MOST_CALLS_AT_ONCE) return
    fail(`the engine calls ${what} in an endless loop`)
    die('in an endless loop')
  }

  return {
    name,
    get isAlive(): boolean {
      return isAlive
    },
    isCutOff,
    isPaused: () => resumed !== undefined,
    /**
     * Runs an outgoing call of the engine. A process can die before the call, which is then not made, or after it: the
     * call never returns. A pause delays new calls and the responses to calls in flight.
     */
    async call<T>(what: string, effect: () => Promise<T>): Promise<T> {
      count(what)
      while (resumed) await resumed
      for (const listener of callListeners) listener()
      if (isAlive && dice.strikes('crash')) die(`before ${what}`)
      if (!isAlive) return forever()
      const [outcome] = await Promise.allSettled([effect()])
      while (resumed) await resumed
      if (isAlive && outcome.status === 'fulfilled' && dice.strikes('crash')) die(`after ${what}`)
      if (!isAlive) return forever()
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    },
    onCall: (callback: () => void) => void callListeners.push(callback),
    pause(ms: number): void {
      trace(() => `${name}: is paused`)
      const present = clock.delay(ms).then(() => {
        if (resumed === present) resumed = undefined
        trace(() => `${name}: continues`)
      })
      resumed = present
    },
    onDeath(callback: () => void): void {
      if (isAlive) callbacks.push(callback)
      else callback()
    },
    die
  }
}
