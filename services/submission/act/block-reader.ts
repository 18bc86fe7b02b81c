import type { PoolBlock } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'
import type { Chain } from '../contract.ts'

export interface BlockReader {
  /** 0 before the first block. */
  readonly newest: number
  /**
   * Returns the block and drops it from memory; undefined if it does not exist yet.
   * @throws HistoryPrunedError, NodeUnavailableError
   */
  next(height: number): Promise<PoolBlock | undefined>
  /** Like `next`, but keeps the block in memory. Also throws the error of an earlier request for the block. */
  peek(height: number): Promise<PoolBlock | undefined>
  /** Drops the prefetched blocks, because their node is no longer trusted. */
  forget(): void
}

/** Limits for prefetched blocks, which may be large. */
const MAX_AHEAD = 16

const MAX_AHEAD_BYTES = 32 * 1024 * 1024

/** Fewer blocks are prefetched after a slow one, so as not to overload the node. */
const SLOW_MS = 2000

/**
 * Reads blocks in order. While the reader is behind the chain, it also prefetches: more with each block that already
 * exists, fewer if blocks are large or slow, and none after an error.
 */
export function createBlockReader(chain: Pick<Chain, 'block'>, clock: Clock): BlockReader {
  /** Requests by height. A request is removed if it fails or if its block does not exist yet. */
  let requests = new Map<number, Promise<PoolBlock | undefined>>()
  let newest = 0
  let blocksInARow = 0
  let blockBytes = 0

  function ahead(): number {
    const inMemory = Math.floor(MAX_AHEAD_BYTES / Math.max(1, blockBytes))
    return Math.max(0, Math.min(blocksInARow - 1, MAX_AHEAD, inMemory))
  }

  async function ask(height: number): Promise<PoolBlock | undefined> {
    const startedAt = clock.elapsed()
    const own = requests
    let block: PoolBlock | undefined
    try {
      const found = await chain.block(height)
      block = found?.isAwaited ? undefined : found
      if (block) newest = Math.max(newest, height)
      if (clock.elapsed() - startedAt > SLOW_MS) blocksInARow = Math.floor(blocksInARow / 2)
      return block
    } catch (error) {
      blocksInARow = 0
      throw error
    } finally {
      if (!block) own.delete(height)
    }
  }

  function request(height: number): Promise<PoolBlock | undefined> {
    const found = requests.get(height)
    if (found) return found
    const asked = ask(height)
    // Ignore a prefetch error: the block is requested again when its turn comes.
    asked.catch(() => {})
    requests.set(height, asked)
    return asked
  }

  return {
    get newest() {
      return newest
    },
    async next(height) {
      for (const passed of requests.keys()) if (passed < height) requests.delete(passed)
      const isEarly = requests.has(height)
      const asked = request(height)
      for (let next = height + 1; next <= height + ahead(); next++) request(next)
      // The prefetch may have failed, or have been sent before the block existed.
      const block = isEarly ? ((await asked.catch(() => undefined)) ?? (await request(height))) : await asked
      requests.delete(height)
      blocksInARow = block ? blocksInARow + 1 : 0
      blockBytes = block ? sizeOf(block) : 0
      return block
    },
    peek: request,
    forget() {
      requests = new Map()
      blocksInARow = 0
    }
  }
}

function sizeOf({ transactions, second }: PoolBlock): number {
  let size = second ? sizeOf(second) : 0
  for (const { bytes, data, log, events } of transactions) {
    size += bytes.length + data.length + log.length
    for (const { attributes } of events) {
      for (const { key, value } of attributes) size += key.length + value.length
    }
  }
  return size
}
