import { LRUCache } from 'lru-cache'
import { txHash } from '../hashes.ts'
import type { TxResult } from '../tx/results.ts'

const CACHE_SIZE = 10_000
const MAX_TX_BYTES = 1_048_576
const MAX_TOTAL_BYTES = 1_073_741_824
/** The highest gas limit that works. CometBFT reads a higher value as negative and silently drops the transaction. */
const MAX_INT64 = 2n ** 63n - 1n

/** CometBFT's largest block size, which applies if the chain sets no limit. */
const LARGEST_BLOCK_BYTES = 104_857_600

/** Block size without transactions: header, one validator's commit, protobuf framing. */
const BLOCK_OVERHEAD_BYTES = 842

/** A rejection by the mempool before CheckTx. RPC returns JSON-RPC error -32603 with this message in `data`. */
class MempoolError extends Error {
  override name = 'MempoolError'
}

export interface MempoolView {
  readonly size: number
  readonly bytes: number
  list(limit: number): Uint8Array[]
}

/** The mempool's settings. Limits can change at run time. */
export interface MempoolOptions {
  /** The maximum number of transactions. */
  size: number
  maxBlockBytes: bigint
  /** A negative value means no limit. */
  maxBlockGas: bigint
  /** Runs CheckTx. `isRecheck` is true for a transaction that is already in the mempool. */
  check(bytes: Uint8Array, hash: string, isRecheck: boolean): TxResult
}

/** A FIFO queue of transactions that wait for a block, with CometBFT's rules. */
export interface Mempool extends MempoolView {
  /** Adds a transaction if it passes CheckTx. @throws MempoolError when the transaction is rejected before CheckTx */
  add(bytes: Uint8Array): TxResult
  /**
   * Returns the transactions for the next block, in order, up to the first that exceeds the block's byte or gas limit.
   */
  reap(): Uint8Array[]
  /** Removes a transaction. If `cached`, its hash stays in the cache. */
  remove(hash: string, options: { cached: boolean }): void
  /** Empties the mempool and its cache. */
  clear(): void
  /**
   * Removes committed transactions, then rechecks the remaining transactions in order. Removes a transaction that
   * fails.
   */
  update(committed: readonly { hash: string; result: { code: number } }[]): void
}

/** Returns a transaction's encoded size in a block: a one-byte tag, the length as a varint and the bytes. */
function sizeInBlock(bytes: Uint8Array): number {
  return 1 + Math.ceil(Math.max(1, bytes.length.toString(2).length) / 7) + bytes.length
}

export function createMempool(options: MempoolOptions): Mempool {
  const { maxBlockBytes, check } = options
  const held = new Map<string, { bytes: Uint8Array; gasWanted: bigint }>()
  /** The hashes of recently submitted transactions. */
  const cache = new LRUCache<string, true>({ max: CACHE_SIZE })
  const blockBytes = maxBlockBytes < 0n ? LARGEST_BLOCK_BYTES : Number(maxBlockBytes)
  const maxDataBytes = blockBytes - BLOCK_OVERHEAD_BYTES
  let totalBytes = 0

  function checkRoom(length: number): void {
    const { size } = options
    if (held.size >= size || totalBytes + length > MAX_TOTAL_BYTES) {
      throw new MempoolError(
        `mempool is full: number of txs ${held.size} (max: ${size}), total txs bytes ${totalBytes} (max: ${MAX_TOTAL_BYTES})`
      )
    }
    if (length > MAX_TX_BYTES) {
      throw new MempoolError(`Tx too large. Max size is ${MAX_TX_BYTES}, but got ${length}`)
    }
  }

  function drop(hash: string): void {
    totalBytes -= held.get(hash)?.bytes.length ?? 0
    held.delete(hash)
  }

  return {
    get size() {
      return held.size
    },
    get bytes() {
      return totalBytes
    },
    list: limit => [...held.values()].slice(0, limit).map(({ bytes }) => bytes),
    add(bytes) {
      checkRoom(bytes.length)
      const blockSize = sizeInBlock(bytes)
      if (blockSize > maxDataBytes) {
        throw new MempoolError(`tx size is too big: ${blockSize}, max: ${maxDataBytes}`)
      }
      const hash = txHash(bytes)
      if (cache.get(hash)) throw new MempoolError('tx already exists in cache')
      cache.set(hash, true)
      const result = check(bytes, hash, false)
      if (result.code === 0 && result.gasWanted <= MAX_INT64) {
        held.set(hash, { bytes, gasWanted: result.gasWanted })
        totalBytes += bytes.length
      } else {
        cache.delete(hash)
      }
      return result
    },
    reap() {
      const reaped: Uint8Array[] = []
      let bytesLeft = maxDataBytes
      const { maxBlockGas } = options
      let gasLeft = maxBlockGas
      for (const { bytes, gasWanted } of held.values()) {
        bytesLeft -= sizeInBlock(bytes)
        gasLeft -= gasWanted
        if (bytesLeft < 0 || (maxBlockGas >= 0n && gasLeft < 0n)) break
        reaped.push(bytes)
      }
      return reaped
    },
    remove(hash, { cached }) {
      drop(hash)
      if (!cached) cache.delete(hash)
    },
    clear() {
      held.clear()
      totalBytes = 0
      cache.clear()
    },
    update(committed) {
      for (const { hash, result } of committed) {
        if (result.code === 0) cache.set(hash, true)
        else cache.delete(hash)
        drop(hash)
      }
      for (const [hash, { bytes }] of held) {
        if (check(bytes, hash, true).code === 0) continue
        drop(hash)
        cache.delete(hash)
      }
    }
  }
}
