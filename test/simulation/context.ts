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
