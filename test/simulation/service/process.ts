import type { Dice } from '../faults/dice.ts'
import type { Trace } from '../trace.ts'

/** More calls than this without any time passing mean an endless loop. */
const MOST_CALLS_AT_ONCE = 20_000

/** One life of the service, from a start to a crash or a stop. */
export interface Process {
  readonly isAlive: boolean
  /**
   * Runs a call of the engine to the outside. The process may die before the call, which then does not happen, or
   * after it, which then returns nothing. Calls of a dead process never return.
   */
  call<T>(name: string, effect: () => Promise<T>): Promise<T>
  /** Runs the callback when the process dies; at once when it is dead. */
  onDeath(callback: () => void): void
  die(reason: string): void
}

const forever = <T>() => new Promise<T>(() => {})

export function createProcess(options: {
  dice: Dice
  trace: Trace
  elapsed: () => number
  fail: (reason: string) => void
}): Process {
  const { dice, trace, elapsed, fail } = options
  const callbacks: (() => void)[] = []
  let isAlive = true
  let calls = 0
  let countedAt = 0

  function die(reason: string): void {
    if (!isAlive) return
    isAlive = false
    trace(() => `process: dies ${reason}`)
    for (const callback of callbacks) callback()
  }

  function count(name: string): void {
    if (countedAt !== elapsed()) calls = 0
    countedAt = elapsed()
    calls += 1
    if (calls <= MOST_CALLS_AT_ONCE) return
    fail(`the engine calls ${name} in an endless loop`)
    die('in an endless loop')
  }

  return {
    get isAlive() {
      return isAlive
    },
    async call(name, effect) {
      count(name)
      if (isAlive && dice.strikes('crash')) die(`before ${name}`)
      if (!isAlive) return forever()
      try {
        const result = await effect()
        if (isAlive && dice.strikes('crash')) die(`after ${name}`)
        return isAlive ? result : forever()
      } catch (error) {
        if (isAlive) throw error
        return forever()
      }
    },
    onDeath(callback) {
      if (isAlive) callbacks.push(callback)
      else callback()
    },
    die
  }
}
