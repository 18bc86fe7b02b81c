import type { NodeHealth } from './types.ts'

/** The newest block of the nodes that may be read from; undefined while none has reported one. */
export function newestHeight(nodes: readonly NodeHealth[]): number | undefined {
  const heights = nodes.flatMap(({ reading, height }) => (reading && height !== undefined ? [height] : []))
  return heights.length > 0 ? Math.max(...heights) : undefined
}
