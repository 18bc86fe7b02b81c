import { LRUCache } from 'lru-cache'
import type { Block } from '../blocks/block-store.ts'
import { txHash } from '../hashes.ts'
import { Branch, type StateView } from '../state/state.ts'
import type { App } from '../tx/app.ts'
import type { RunContext, TxResult } from '../tx/context.ts'
import { runTx } from '../tx/run.ts'

const CACHE_SIZE = 10_000
const MAX_TX_BYTES = 1_048_576
const MAX_TOTAL_BYTES = 1_073_741_824
/** The highest gas limit that works. CometBFT reads a higher value as negative and silently drops the transaction. */
const MAX_INT64 = 2n ** 63n - 1n

/** Block size without transactions: header, one validator's commit, protobuf framing. */
const BLOCK_OVERHEAD_BYTES = 842

/** Returns a transaction's encoded size in a block: a one-byte tag, the length as a varint and the bytes. */
function sizeInBlock(bytes: Uint8Array): number {
  return 1 + Math.ceil(Math.max(1, bytes.length.toString(2).length) / 7) + bytes.length
}

export type Mempool = ReturnType<typeof createMempool>

/**
 * Creates a FIFO queue of transactions that wait for a block, with CometBFT's rules. Checks them against the committed
 * state plus the changes of the pending transactions.
 * @param stateAt returns the state after a block; a node of the simulation passes its own
 */
export function createMempool(app: App, stateAt: (height: number) => StateView = () => app.store) {
  const pending = new Map<string, { bytes: Uint8Array; gasWanted: bigint }>()
  /** The hashes of recently submitted transactions. */
  const cache = new LRUCache<string, true>({ max: CACHE_SIZE })
  const maxDataBytes = Number(app.maxBlockBytes) - BLOCK_OVERHEAD_BYTES
  let totalBytes = 0
  let context = contextAt(0)

  function contextAt(height: number): RunContext {
    return { state: new Branch(stateAt(height)), height }
  }

  function checkRoom(length: number): void {
    const { mempoolSize } = app
    if (pending.size >= mempoolSize || totalBytes + length > MAX_TOTAL_BYTES) {
      throw new Error(
        `mempool is full: number of txs ${pending.size} (max: ${mempoolSize}), total txs bytes ${totalBytes} (max: ${MAX_TOTAL_BYTES})`
      )
    }
    if (length > MAX_TX_BYTES) {
      throw new Error(`Tx too large. Max size is ${MAX_TX_BYTES}, but got ${length}`)
    }
  }

  function remove(hash: string, { cached }: { cached: boolean }): void {
    totalBytes -= pending.get(hash)?.bytes.length ?? 0
    pending.delete(hash)
    if (cached) cache.set(hash, true)
    else cache.delete(hash)
  }

  return {
    get size() {
      return pending.size
    },
    /** The context of CheckTx, whose state includes the changes of the pending transactions. */
    get context() {
      return context
    },
    list: (limit: number) => [...pending.values()].slice(0, limit).map(({ bytes }) => bytes),
    /** Adds a transaction if it passes CheckTx. @throws Error when the transaction is rejected before CheckTx */
    add(bytes: Uint8Array): TxResult {
      checkRoom(bytes.length)
      const blockSize = sizeInBlock(bytes)
      if (blockSize > maxDataBytes) {
        throw new Error(`tx size is too big: ${blockSize}, max: ${maxDataBytes}`)
      }
      const hash = txHash(bytes)
      if (cache.get(hash)) throw new Error('tx already exists in cache')
      cache.set(hash, true)
      const result = runTx(app, bytes, 'check', context)
      if (result.code === 0 && result.gasWanted <= MAX_INT64) {
        pending.set(hash, { bytes, gasWanted: result.gasWanted })
        totalBytes += bytes.length
      } else {
        cache.delete(hash)
      }
      return result
    },
    /** Returns the transactions for the next block, in order, stopping before the first that would exceed a limit of the block. */
    reap(): Uint8Array[] {
      const reaped: Uint8Array[] = []
      let bytesLeft = maxDataBytes
      let gasLeft = app.maxBlockGas
      for (const { bytes, gasWanted } of pending.values()) {
        bytesLeft -= sizeInBlock(bytes)
        gasLeft -= gasWanted
        if (bytesLeft < 0 || gasLeft < 0n) break
        reaped.push(bytes)
      }
      return reaped
    },
    /** Removes a transaction. If `cached`, its hash stays in the cache. */
    remove,
    /** Empties the mempool and its cache. Until the next block, CheckTx runs at height 0, as after a node's restart. */
    clear(): void {
      pending.clear()
      totalBytes = 0
      cache.clear()
      context = contextAt(0)
    },
    /** Called after each commit: removes committed transactions, then rechecks the others and removes those that fail. */
    update({ height, txs }: Block): void {
      context = contextAt(height)
      for (const { hash, result } of txs) remove(hash, { cached: result.code === 0 })
      for (const [hash, { bytes }] of pending) {
        if (runTx(app, bytes, 'recheck', context).code !== 0) remove(hash, { cached: false })
      }
    }
  }
}
