const { now } = Date
let ahead = 0

/**
 * Moves the wall clock of this process forward; timers are not affected. The clock never goes back, so that no test
 * runs before the time of an earlier one.
 */
export function advanceClock(seconds: number): void {
  ahead += seconds * 1000
  Date.now = () => now() + ahead
}
