import type { BlockOutcome } from './types.ts'

/**
 * When blocks have settled submissions: by the newest block, or by the store's clock where that is later, so that a clock that is
 * wrong makes nothing old (interface 7.15). @param now milliseconds since the epoch, as the result
 */
export const settlingTime = (blocks: readonly BlockOutcome[], now: number): number =>
  Math.max(now, ...blocks.map(({ time }) => time))
