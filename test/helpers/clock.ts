import { setTimeout as pause } from 'node:timers/promises'

const { now } = Date
let ahead = 0

/**
 * Lets the wall clock of this process jump ahead, while timers go on as ever; done when every cache has noticed.
 * It never goes back, so that no test meets another's future.
 */
export async function advanceClock(seconds: number): Promise<void> {
  ahead += seconds * 1000
  Date.now = () => now() + ahead
  // async-cache-dedupe looks at the clock once a second; a timer as long as its own ends after it.
  await pause(1000)
}
