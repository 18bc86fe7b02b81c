import type { Test } from 'tap'
import { type Clock, systemClock } from '../../services/clock.ts'

const { now } = Date
let ahead = 0
let stoppedAt: number | undefined

/** Moves this process's wall clock forward, but no timers; never back, so no test runs earlier than a previous one. */
export function advanceClock(seconds: number): void {
  ahead += seconds * 1000
  Date.now = () => (stoppedAt ?? now()) + ahead
}

/** Stops the wall clock until the test ends; only `advanceClock` moves it. Ages then do not depend on the machine. */
export function stopClock(t: Test): void {
  stoppedAt = now()
  advanceClock(0)
  t.teardown(() => {
    stoppedAt = undefined
  })
}

/**
 * Multiplies all new pauses and timeouts of a second or more in the service by 100, so that they outlast any test.
 * @returns a function that restores normal timers, as the end of the test does
 */
export function stretchTimers(t: Test): () => void {
  const { after } = systemClock
  systemClock.after = (ms, action) => after(ms < 1000 ? ms : 100 * ms, action)
  const restore = () => {
    systemClock.after = after
  }
  t.teardown(restore)
  return restore
}

/** Replaces the service's elapsed time, in milliseconds, until the test ends. Only the test advances it. */
export function takeTime(t: Test): { elapsed: number } {
  const { elapsed } = systemClock
  const time = { elapsed: elapsed() }
  systemClock.elapsed = () => time.elapsed
  t.teardown(() => {
    systemClock.elapsed = elapsed
  })
  return time
}

/** Returns a clock whose elapsed time and timers run `factor` times as fast. */
export function fastClock(factor: number): Clock {
  return {
    now: systemClock.now,
    elapsed: () => systemClock.elapsed() * factor,
    after: (ms, action) => systemClock.after(ms / factor, action)
  }
}
