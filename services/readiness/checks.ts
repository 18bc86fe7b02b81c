import type { Check } from '../../schemas/readiness.ts'
import type { NodeHealth } from '../chain-client/index.ts'
import type { EngineHealth } from '../submission/contract.ts'
import { BLOCKERS } from '../submission/decide/blockers.ts'

/** Number of blocks that the engine may lag behind: a block is announced before its results can be read. */
const MAX_BLOCKS_BEHIND = 10

/** The maximum silence of the leader. A leader that stops or is disconnected is replaced within this time. */
const MAX_SILENT_MS = 20_000

/** Maximum age of an unsettled submission. Unless something is wrong, a submission is settled within a few blocks. */
const MAX_UNSETTLED_MS = 5 * 60_000

export const failure = (detail: string, action: string): Check => ({ ok: false, detail, action })

/**
 * Passes while the engine reads new blocks and settles submissions (interface 15.3).
 * @param oldestMs age of the oldest unsettled submission
 */
export function engineCheck(engine: EngineHealth, oldestMs: number | undefined): Check {
  const { blockers, height, newestHeight, leaderSilentMs, unsettled, withoutTxId, verification } = engine
  if (height === undefined)
    return failure('starting', 'Check signer and rpc first; if both pass, wait a minute.')
  if (leaderSilentMs > MAX_SILENT_MS)
    return failure(
      'no process leads',
      'Each server’s log has the reason. If the logs show nothing, restart one server.'
    )
  if (newestHeight !== undefined && newestHeight - height > MAX_BLOCKS_BEHIND)
    return failure(`catching up: block ${height} of ${newestHeight}`, BLOCKERS['catching-up'].action)
  // The nodes are far behind, or the chain was restarted from genesis under the same id.
  if (newestHeight !== undefined && height - newestHeight > MAX_BLOCKS_BEHIND)
    return failure(
      `nodes at block ${newestHeight}, store at ${height}`,
      'Wait for the nodes, or use others. A chain that was started anew needs a new store.'
    )
  if (oldestMs !== undefined && oldestMs > MAX_UNSETTLED_MS)
    return failure(
      `a submission has been unsettled for ${Math.floor(oldestMs / 60_000)} minutes`,
      'Run `transaction-back-end-submissions list --state queued --state broadcast`, then `show ID`.'
    )
  const missing = withoutTxId > 0 ? `, ${withoutTxId} committed without a transaction id` : ''
  const notices = blockers.map(({ kind }) => kind).filter(kind => !BLOCKERS[kind].check)
  const [first] = notices
  return {
    ok: true,
    detail: [
      `height ${height}, ${unsettled} unsettled${missing}`,
      ...verified(verification),
      ...notices
    ].join(', '),
    ...(first && { action: BLOCKERS[first].action })
  }
}

function verified(verification: EngineHealth['verification']): string[] {
  if (!verification) return []
  const { proven, height, pruned, differing } = verification
  const differences = differing.reduce((total, { count }) => total + count, 0)
  const skipped = pruned > 0 ? [`${pruned} blocks not compared`] : []
  return [`${proven} proven up to block ${height}`, `${differences} differences`, ...skipped]
}

/** The chain has halted if its newest block is older than this and than MAX_BLOCKS_MISSED block intervals. */
const MAX_BLOCK_AGE_MS = 30_000
const MAX_BLOCKS_MISSED = 10

/** Upper limit for a block interval, which might have been measured across a halt. */
const MAX_INTERVAL_MS = 30_000

const seconds = (ms: number) => Math.round(ms / 1000)

/** Passes while a node can be read and the chain produces blocks (interface 15.3). */
export function rpcCheck(nodes: readonly NodeHealth[]): Check {
  const read = nodes.filter(({ reading }) => reading)
  const healthy = read.filter(({ sending }) => sending).length
  const count = `${healthy} of ${nodes.length} nodes healthy`
  const heights = read.flatMap(({ height }) => height ?? [])
  const ages = read.flatMap(({ blockAgeMs }) => blockAgeMs ?? [])
  if (heights.length === 0 || ages.length === 0)
    return failure(
      count,
      'Add a node to SERVICE_BACKEND_NODE_PROVIDER; the log has the reason in "RPC node skipped".'
    )

  const intervals = read.map(({ blockIntervalMs = 0 }) => Math.min(blockIntervalMs, MAX_INTERVAL_MS))
  const ageMs = Math.min(...ages)
  const ok = ageMs <= Math.max(MAX_BLOCK_AGE_MS, MAX_BLOCKS_MISSED * Math.max(0, ...intervals))
  const detail = `height ${Math.max(...heights)}, ${seconds(ageMs)} s old, ${count}`
  if (ok) return { ok, detail }
  return failure(
    detail,
    'Compare the height with an explorer. If the chain continues, use other nodes; otherwise wait.'
  )
}
