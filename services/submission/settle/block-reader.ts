import type { ChainClient, PoolBlock } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'

/** The most blocks that are requested ahead, and the most memory that they may take: each may be large. */
const MAX_AHEAD = 16
const MAX_AHEAD_BYTES = 32 * 1024 * 1024

/** A node that takes longer than this for a block has enough to do. */
const SLOW_MS = 2000

/**
 * Reads blocks in order. While each one exists already, the blocks after it are requested too, the more the further
 * behind the reader is; fewer when blocks are large or slow to come, and none after an error.
 */
export function createBlockReader(chain: Pick<ChainClient, 'block'>, clock: Clock) {
  /** By height; without those that failed, or did not exist when they were requested. */
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
    // An error of a prefetch is ignored: the block is requested again when its turn comes.
    asked.catch(() => {})
    requests.set(height, asked)
    return asked
  }

  return {
    /** The height of the newest block that was read; 0 before the first. */
    get newest(): number {
      return newest
    },
    /**
     * @returns the block at this height, which is then forgotten; undefined while there is none
     * @throws HistoryPrunedError, NodeUnavailableError
     */
    async next(height: number): Promise<PoolBlock | undefined> {
      for (const passed of requests.keys()) if (passed < height) requests.delete(passed)
      const isEarly = requests.has(height)
      const asked = request(height)
      for (let next = height + 1; next <= height + ahead(); next++) request(next)
      // A block that did not exist, or failed, when it was requested ahead may exist now.
      const block = isEarly ? ((await asked.catch(() => undefined)) ?? (await request(height))) : await asked
      requests.delete(height)
      blocksInARow = block ? blocksInARow + 1 : 0
      blockBytes = block ? sizeOf(block) : 0
      return block
    },
    /** The block at this height, which stays to be read; undefined while there is none. @throws as `next` */
    peek: request,
    /** Drops what has been read ahead, because it came from a node that is not trusted. */
    forget(): void {
      requests = new Map()
      blocksInARow = 0
    }
  }
}

/** About how much memory a block takes, in bytes. */
function sizeOf({ transactions, witness }: PoolBlock): number {
  let size = witness ? sizeOf(witness) : 0
  for (const { bytes, data, log, events } of transactions) {
    size += bytes.length + data.length + log.length
    for (const { attributes } of events) {
      for (const { key, value } of attributes) size += key.length + value.length
    }
  }
  return size
}
