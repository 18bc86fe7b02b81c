import type { Dice } from '../faults/dice.ts'
import type { Trace } from '../trace.ts'

/** More calls than this in one moment can only be an engine that turns round and round. */
const MOST_CALLS_AT_ONCE = 20_000

/** One life of the service, from a start to a crash or a stop. */
export interface Process {
  readonly isAlive: boolean
  /**
   * Runs a call of the engine to the world outside. The process may die before it, so that it never happened, or
   * after it, so that nobody learns of it; a dead process waits for ever.
   */
  call<T>(name: string, effect: () => Promise<T>): Promise<T>
  /** Runs when the process dies; at once when it is dead. */
  onDeath(callback: () => void): void
  die(reason: string): void
}

const forever = <T>() => new Promise<T>(() => {})

export function createProcess(options: {
  dice: Dice
  trace: Trace
  now: () => number
  fail: (reason: string) => void
}): Process {
  const { dice, trace, now, fail } = options
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
    if (countedAt !== now()) calls = 0
    countedAt = now()
    calls += 1
    if (calls <= MOST_CALLS_AT_ONCE) return
    fail(`the engine calls ${name} again and again without rest`)
    die('of restlessness')
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
