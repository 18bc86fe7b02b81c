import type { NodeHealth } from '../chain-client/types.ts'
import type { Check } from './check.ts'

/** The chain stands still when its newest block is older than this, or than that many of its blocks take. */
const MAX_BLOCK_AGE_MS = 30_000
const MAX_BLOCKS_MISSED = 10

/** A block interval that was measured across a halt says nothing about the usual one. */
const LONGEST_INTERVAL_MS = 30_000

const seconds = (ms: number) => Math.round(ms / 1000)

/** Passes while a node can be read and the chain makes blocks (interface 15.3). */
export function rpcCheck(nodes: readonly NodeHealth[]): Check {
  const read = nodes.filter(({ reading }) => reading)
  const well = read.filter(({ sending }) => sending).length
  const count = `${well} of ${nodes.length} nodes well`
  const heights = read.flatMap(({ height }) => height ?? [])
  const ages = read.flatMap(({ blockAgeMs }) => blockAgeMs ?? [])
  if (heights.length === 0 || ages.length === 0) return { ok: false, detail: count }

  const intervals = read.map(({ blockIntervalMs = 0 }) => Math.min(blockIntervalMs, LONGEST_INTERVAL_MS))
  const ageMs = Math.min(...ages)
  const ok = ageMs <= Math.max(MAX_BLOCK_AGE_MS, MAX_BLOCKS_MISSED * Math.max(0, ...intervals))
  return { ok, detail: `height ${Math.max(...heights)}, ${seconds(ageMs)} s old, ${count}` }
}
