import type { Dice } from './faults/calls.ts'
import type { Plan } from './plan.ts'
import type { Random } from './random.ts'
import type { VirtualClock } from './time/virtual-clock.ts'

/** What the parts of a schedule share. */
export interface Context {
  plan: Plan
  clock: VirtualClock
  random: Random
  dice: Dice
  /** Adds a line to the schedule's trace. Calls `line` only if the trace is written. */
  trace(line: () => string): void
  fail(reason: string): void
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** @returns a function that replaces random ids in a string with numbers, so that every run produces the same trace */
export function createNaming(): (text: string) => string {
  const names = new Map<string, string>()
  return text =>
    text.replaceAll(UUID, id => {
      const name = names.get(id) ?? `#${names.size + 1}`
      names.set(id, name)
      return name
    })
}
