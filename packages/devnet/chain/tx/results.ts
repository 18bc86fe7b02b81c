import { toAbciError } from '../errors.ts'
import type { ChainEvent } from '../events.ts'

export interface TxResult {
  /** Any code but 0 discards all effects of the messages. */
  code: number
  codespace: string
  log: string
  gasWanted: bigint
  gasUsed: bigint
  /** All events on success, only ante handler events if a message failed, no events if the ante handler failed. */
  events: ChainEvent[]
  /** Encoded TxMsgData; empty on failure and in CheckTx. */
  data: Uint8Array
}

export function failedTx(
  thrown: unknown,
  gas = { gasWanted: 0n, gasUsed: 0n },
  events: ChainEvent[] = []
): TxResult {
  const { code, codespace, message } = toAbciError(thrown)
  return { code, codespace, log: message, ...gas, events, data: new Uint8Array() }
}
