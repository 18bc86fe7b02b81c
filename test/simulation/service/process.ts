import type { Dice } from '../faults/dice.ts'
import type { Trace } from '../trace.ts'

/** More calls than this without any time passing mean an endless loop. */
const MOST_CALLS_AT_ONCE = 20_000

/** One life of a replica, from a start to a crash or a stop. */
export interface Process {
  readonly name: string
  readonly isAlive: boolean
  readonly isPaused: boolean
  /** Whether it reaches no node. */
  readonly isCutOff: boolean
  /**
   * Runs a call of the engine to the outside. The process may die before the call, which then does not happen, or
   * after it, which then returns nothing. Calls of a dead process never return. A pause holds calls up, and the answers of
   * those that are under way.
   */
  call<T>(name: string, effect: () => Promise<T>): Promise<T>
  /** Runs the callback at each call. */
  onCall(callback: () => void): void
  /** Does nothing more until then; what it has asked for goes on. */
  pause(over: Promise<void>): void
  /** Runs the callback when the process dies; at once when it is dead. */
  onDeath(callback: () => void): void
  die(reason: string): void
}

const forever = <T>() => new Promise<T>(() => {})

export function createProcess(options: {
  name: string
  isCutOff: () => boolean
  dice: Dice
  trace: Trace
  elapsed: () => number
  fail: (reason: string) => void
}): Process {
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
    get isAlive() {
      return isAlive
    },
    get isCutOff() {
      return isCutOff()
    },
    get isPaused() {
      return resumed !== undefined
    },
    async call(what, effect) {
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
    onCall: callback => void callListeners.push(callback),
    pause(over) {
      trace(() => `${name}: is paused`)
      const present = over.then(() => {
        if (resumed === present) resumed = undefined
        trace(() => `${name}: continues`)
      })
      resumed = present
    },
    onDeath(callback) {
      if (isAlive) callbacks.push(callback)
      else callback()
    },
    die
  }
}
