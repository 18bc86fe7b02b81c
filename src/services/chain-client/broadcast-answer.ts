import { RpcError } from './errors.ts'
import type { BroadcastAnswer } from './types.ts'

/** Reads what `broadcast_tx_sync` reports of CheckTx. */
export function answerOfBroadcast(response: {
  code: number
  codespace?: string
  log?: string
}): BroadcastAnswer {
  const { code, codespace = '', log = '' } = response
  return code === 0 ? { status: 'accepted' } : { status: 'refused', code, codespace, log }
}

/** Reads an error instead of an answer. Over RPC the cache is an error too, told by its text alone. */
export function answerOfBroadcastError(error: unknown): BroadcastAnswer {
  if (error instanceof RpcError && error.data.includes('tx already exists in cache'))
    return { status: 'known' }
  return { status: 'unavailable', reason: error instanceof Error ? error.message : String(error) }
}
