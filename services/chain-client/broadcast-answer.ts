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

/** Code of the `sdk` codespace for a transaction that is too large, which over RPC has a text alone. */
const TX_TOO_LARGE = 21

/** Reads an error instead of an answer. What a node's mempool says comes as an error, told by its text alone. */
export function answerOfBroadcastError(error: unknown): BroadcastAnswer {
  if (error instanceof RpcError) {
    const { data } = error
    if (data.includes('tx already exists in cache')) return { status: 'known' }
    if (data.includes('Tx too large'))
      return { status: 'refused', code: TX_TOO_LARGE, codespace: 'sdk', log: data }
  }
  return { status: 'unavailable', reason: error instanceof Error ? error.message : String(error) }
}
