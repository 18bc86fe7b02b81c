import { RpcError } from '../errors.ts'
import type { BroadcastAnswer } from '../types.ts'

/** Reads the result of CheckTx from the answer to `broadcast_tx_sync`. */
export function readBroadcastAnswer(response: {
  code: number
  codespace?: string
  log?: string
}): BroadcastAnswer {
  const { code, codespace = '', log = '' } = response
  return code === 0 ? { status: 'accepted' } : { status: 'refused', code, codespace, log }
}

/**
 * Reads an error of a broadcast. The mempool's errors are JSON-RPC errors that differ only in their text, and nodes have
 * others: whether one is about the bytes is found out by a smaller transaction (interface 17.11).
 */
export function readBroadcastError(error: unknown): BroadcastAnswer {
  const answered = error instanceof RpcError
  if (answered && error.says('tx already exists in cache')) return { status: 'known' }
  return { status: 'unavailable', reason: error instanceof Error ? error.message : String(error), answered }
}
