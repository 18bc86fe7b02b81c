import type { Dice } from '../faults/dice.ts'
import type { Trace } from '../trace.ts'

/** Maximum number of calls at the same clock time. More calls indicate an infinite loop. */
const MOST_CALLS_AT_ONCE = 20_000

export type Process = ReturnType<typeof createProcess>

const forever = <T>() => new Promise<T>(() => {})

export function createProcess(options: {
  name: string
  isCutOff: () => boolean
  dice: Dice
  trace: Trace
  elapsed: () => number
  fail: (reason: string) => void
}) {
  const { name, isCutOff, dice, trace, elapsed, fail } = options
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
    if (countedAt !== elapsed()) calls = 0
    countedAt = elapsed()
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
    get isCutOff(): boolean {
      return isCutOff()
    },
    get isPaused(): boolean {
      return resumed !== undefined
    },
    /**
     * Runs an outgoing call of the engine. If the process dies before the call, the call is not made. If it dies after
     * the call, the call was made but never returns. Calls of a dead process never return. A pause delays new calls and
     * the responses to calls in flight.
     */
    async call<T>(what: string, effect: () => Promise<T>): Promise<T> {
      count(what)
      while (resumed) await resumed
      for (const listener of callListeners) listener()
      if (isAlive && dice.strikes('crash')) die(`before ${what}`)
      if (!isAlive) return forever()
      try {
        const result = await effect()
        while (resumed) await resumed
        if (isAlive && dice.strikes('crash')) die(`after ${what}`)
        return isAlive ? result : forever()
      } catch (error) {
        while (resumed) await resumed
        if (isAlive) throw error
        return forever()
      }
    },
    onCall: (callback: () => void) => void callListeners.push(callback),
    pause(over: Promise<void>): void {
      trace(() => `${name}: is paused`)
      const present = over.then(() => {
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
