import { LRUCache } from 'lru-cache'
import { txHash } from '../hashes.ts'
import type { TxResult } from '../tx/results.ts'

const CACHE_SIZE = 10_000
const MAX_TX_BYTES = 1_048_576
const MAX_TOTAL_BYTES = 1_073_741_824
/** CometBFT reads more gas as negative and silently drops the transaction. */
const MAX_INT64 = 2n ** 63n - 1n

/** CometBFT's largest block, the limit of a chain that sets none. */
const LARGEST_BLOCK_BYTES = 104_857_600

/** Block overhead in addition to the transactions: header, commit of one validator, protobuf framing. */
const BLOCK_OVERHEAD_BYTES = 842

/** A transaction that the mempool refused without checking it. Over RPC: JSON-RPC error -32603 with this message in `data`. */
class MempoolError extends Error {
  override name = 'MempoolError'
}

export interface MempoolView {
  readonly size: number
  readonly bytes: number
  list(limit: number): Uint8Array[]
}

/** Limits are read at each use, so they can be changed. */
export interface MempoolOptions {
  /** The maximum number of transactions. */
  size: number
  maxBlockBytes: bigint
  /** Negative = no limit. */
  maxBlockGas: bigint
  /** Runs CheckTx; `isRecheck` for a transaction that is already waiting. */
  check(bytes: Uint8Array, hash: string, isRecheck: boolean): TxResult
}

/** The transactions that wait for a block, first in, first out, with the rules of CometBFT. */
export interface Mempool extends MempoolView {
  /** Adds a transaction if it passes CheckTx. @throws MempoolError when it is refused before CheckTx */
  add(bytes: Uint8Array): TxResult
  /** The transactions for the next block: in order, up to the first that exceeds the block's byte or gas limit. */
  reap(): Uint8Array[]
  /** Removes a transaction; `cached`: its hash stays in the cache. @returns false when it is not waiting */
  remove(hash: string, options: { cached: boolean }): void
  /** Empties the mempool and its cache. */
  clear(): void
  /** After a block: removes its transactions and rechecks the others in order, removing those that fail. */
  update(committed: readonly { hash: string; result: { code: number } }[]): void
}

/** A transaction's size inside a block: one byte of tag, its length as a varint, and itself. */
function sizeInBlock(bytes: Uint8Array): number {
  return 1 + Math.ceil(Math.max(1, bytes.length.toString(2).length) / 7) + bytes.length
}

export function createMempool(options: MempoolOptions): Mempool {
  const { maxBlockBytes, check } = options
  const held = new Map<string, { bytes: Uint8Array; gasWanted: bigint }>()
  /** The hashes of the transactions seen last. */
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
