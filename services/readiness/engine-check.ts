import type { EngineHealth } from '../submission/types.ts'
import type { Check } from './check.ts'

/** The engine may be so many blocks behind the nodes: a block is announced before its results can be read. */
const MAX_BLOCKS_BEHIND = 10

/** A worker may fail for so long: one answer that is lost is no reason to send clients away. */
const MAX_FAILING_MS = 10_000

/** Another process leads within this time when one stops, is killed or is cut off. */
const MAX_SILENT_MS = 20_000

/** A submission is settled within a few blocks, unless something is wrong. */
const MAX_UNSETTLED_MS = 5 * 60_000

/**
 * Passes while the engine reads new blocks and settles submissions (interface 15.3).
 * @param oldestMs the age of the oldest unsettled submission
 */
export function engineCheck(engine: EngineHealth, oldestMs: number | undefined): Check {
  const { height, newestHeight, loops, leaderSilentMs, unsettled, withoutTxId } = engine
  if (height === undefined) return { ok: false, detail: 'starting' }
  if (leaderSilentMs > MAX_SILENT_MS) return { ok: false, detail: 'no process leads' }
  // A worker that fails is the reason why blocks are missed.
  const failing = loops.find(({ failingMs }) => failingMs !== undefined && failingMs > MAX_FAILING_MS)
  if (failing) return { ok: false, detail: `the ${failing.name} fails` }
  if (newestHeight !== undefined && newestHeight - height > MAX_BLOCKS_BEHIND) {
    return { ok: false, detail: `catching up: block ${height} of ${newestHeight}` }
  }
  if (oldestMs !== undefined && oldestMs > MAX_UNSETTLED_MS) {
    return {
      ok: false,
      detail: `a submission has been unsettled for ${Math.floor(oldestMs / 60_000)} minutes`
    }
  }
  const missing = withoutTxId > 0 ? `, ${withoutTxId} committed without a transaction id` : ''
  return { ok: true, detail: `height ${height}, ${unsettled} unsettled${missing}` }
}
