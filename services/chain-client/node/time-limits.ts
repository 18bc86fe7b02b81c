import type { Call } from './bounds.ts'

const LONGEST_MS = 60_000

/** Calls whose answer is small: they do not take longer with what is asked. */
const SHORT: readonly Call[] = ['status', 'broadcast_tx_sync']

/**
 * How long each call to one node may take. A call that takes too long may take twice as long the next time, up to a
 * minute; an answer in time shortens that again.
 * @param baseMs the least that a call may take
 */
export function createTimeLimits(baseMs: number) {
  const limits = new Map<Call, number>()
  return {
    of: (call: Call): number => limits.get(call) ?? baseMs,
    late(call: Call, limitMs: number): void {
      if (SHORT.includes(call)) return
      limits.set(call, Math.max(limits.get(call) ?? baseMs, Math.min(2 * limitMs, LONGEST_MS)))
    },
    answered(call: Call, tookMs: number): void {
      if (!SHORT.includes(call)) limits.set(call, Math.min(Math.max(baseMs, 2 * tookMs), LONGEST_MS))
    }
  }
}
