import { RpcError } from '../errors.ts'
import { safeInteger } from '../safe-integer.ts'
import { shorten } from '../shorten.ts'
import type { BroadcastAnswer } from '../types.ts'

/** Reads the result of CheckTx from the answer to `broadcast_tx_sync`. */
export function readBroadcastAnswer(response: {
  code: number
  codespace?: string
  log?: string
}): BroadcastAnswer {
  const { code, codespace = '', log = '' } = response
  return code === 0 ? { status: 'accepted' } : { status: 'refused', code, codespace, log: shorten(log) }
}

/** Code of the `sdk` codespace for a transaction that is too large. Over RPC this error has only a text. */
const TX_TOO_LARGE = 21

/** The most bytes that the mempool holds: what is larger is refused as if the mempool were full, even while it is empty. */
const MOST_BYTES = /mempool is full: .* total txs bytes \d+ \(max: (\d+)\)/

/**
 * Reads an error of a broadcast. The mempool's errors are JSON-RPC errors that differ only in their text.
 * @param size of the transaction, in bytes
 */
export function readBroadcastError(error: unknown, size: number): BroadcastAnswer {
  if (error instanceof RpcError) {
    if (error.says('tx already exists in cache')) return { status: 'known' }
    if (error.says('Tx too large') || size > (safeInteger(error.match(MOST_BYTES)) ?? size))
      return { status: 'refused', code: TX_TOO_LARGE, codespace: 'sdk', log: error.data }
  }
  return { status: 'unavailable', reason: error instanceof Error ? error.message : String(error) }
}
