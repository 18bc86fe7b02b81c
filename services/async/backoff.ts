// This file uses no Node API, because the client contains it too.

/** Returns the pause after a number of failures in a row: `firstMs`, then twice as long each time, up to `longestMs`. */
export const backoffMs = (failures: number, bounds: { firstMs: number; longestMs: number }): number =>
  Math.min(bounds.firstMs * 2 ** (failures - 1), bounds.longestMs)

/** Returns the time to the next poll: a thirtieth of the time since the last change, within the bounds. */
export const pollIntervalMs = (
  unchangedMs: number,
  bounds: { shortestMs: number; longestMs: number }
): number => Math.min(bounds.longestMs, Math.max(bounds.shortestMs, unchangedMs / 30))
