const { now } = Date
let ahead = 0

/**
 * Lets the wall clock of this process jump ahead, while timers go on as ever. It never goes back, so that no test
 * meets another's future.
 */
export function advanceClock(seconds: number): void {
  ahead += seconds * 1000
  Date.now = () => now() + ahead
}
