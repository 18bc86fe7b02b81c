import type { ChainClient, PoolBlock } from '../../chain-client/index.ts'
import type { Clock } from '../../clock.ts'

/** The most blocks that are requested ahead, and the most memory that they may take: each may be large. */
const MAX_AHEAD = 16
const MAX_AHEAD_BYTES = 32 * 1024 * 1024

/** A node that takes longer than this for a block has enough to do. */
const SLOW_MS = 2000

/** Reads blocks in order, faster than one request at a time would. */
export interface BlockReader {
  /** The height of the newest block that was read; 0 before the first. */
  readonly newest: number
  /**
   * @returns the block at this height and those after it that have been read ahead, in order; empty while there is none
   * @throws HistoryPrunedError, NodeUnavailableError
   */
  next(height: number): Promise<PoolBlock[]>
  /** The block at this height, which stays to be read; undefined while there is none. @throws as `next` */
  peek(height: number): Promise<PoolBlock | undefined>
  /** Drops what has been read ahead, because it came from a node that is not trusted. */
  forget(): void
}

/**
 * Reads blocks in order. While each one exists already, the blocks after it are requested too, the more the further
 * behind the reader is; fewer when blocks are large or slow to come, and none after an error.
 */
export function createBlockReader(chain: Pick<ChainClient, 'block'>, clock: Clock): BlockReader {
  let requests = new Map<number, Promise<PoolBlock | undefined>>()
  let fetched = new Map<number, PoolBlock>()
  let newest = 0
  let blocksInARow = 0
  let blockBytes = 0

  function ahead(): number {
    const inMemory = Math.floor(MAX_AHEAD_BYTES / Math.max(1, blockBytes))
    return Math.max(0, Math.min(blocksInARow - 1, MAX_AHEAD, inMemory))
  }

  async function ask(height: number): Promise<PoolBlock | undefined> {
    const [ownRequests, ownFetched, startedAt] = [requests, fetched, clock.elapsed()]
    try {
      const found = await chain.block(height)
      const block = found?.isAwaited ? undefined : found
      if (block) ownFetched.set(height, block)
      if (block) newest = Math.max(newest, height)
      if (clock.elapsed() - startedAt > SLOW_MS) blocksInARow = Math.floor(blocksInARow / 2)
      return block
    } catch (error) {
      blocksInARow = 0
      throw error
    } finally {
      ownRequests.delete(height)
    }
  }

  function request(height: number): Promise<PoolBlock | undefined> {
    const found = requests.get(height)
    if (found) return found
    const asked = ask(height)
    // An error ahead of its turn is ignored: the block is requested again when its turn comes.
    asked.catch(() => {})
    requests.set(height, asked)
    return asked
  }

  /**
   * Waits for the first half of what was requested ahead: applying many blocks together costs little more than applying
   * one. The other half is on its way meanwhile.
   */
  async function half(height: number, last: number): Promise<void> {
    for (let next = height + 1; next <= (height + last) / 2; next++) {
      await requests.get(next)?.catch(() => {})
      if (!fetched.has(next)) return
    }
  }

  /** @returns the block at this height and those after it, which are then no longer held here */
  function take(height: number): PoolBlock[] {
    const run: PoolBlock[] = []
    for (let block = fetched.get(height); block; block = fetched.get(height + run.length)) {
      fetched.delete(block.height)
      run.push(block)
    }
    return run
  }

  function forget(): void {
    requests = new Map()
    fetched = new Map()
    blocksInARow = 0
  }

  return {
    get newest() {
      return newest
    },
    async next(height) {
      for (const passed of fetched.keys()) if (passed < height) fetched.delete(passed)
      const last = height + ahead()
      const isEarly = requests.has(height)
      const asked = fetched.has(height) ? undefined : request(height)
      for (let next = height + 1; next <= last; next++) if (!fetched.has(next)) request(next)
      if (!isEarly) await asked
      // A block that did not exist, or failed, when it was requested ahead may exist now.
      else if (!(await asked?.catch(() => undefined))) await request(height)
      await half(height, last)
      const run = take(height)
      blocksInARow = run.length > 0 ? blocksInARow + run.length : 0
      blockBytes = Math.max(0, ...run.map(sizeOf))
      return run
    },
    async peek(height) {
      return fetched.get(height) ?? request(height)
    },
    forget
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
