import { toAbciError } from '../errors.ts'
import type { ChainEvent } from '../events.ts'

/** The result of running a transaction in any mode. */
export interface TxResult {
  /** 0 for success. Any other code discards all effects of the messages. */
  code: number
  codespace: string
  log: string
  gasWanted: bigint
  gasUsed: bigint
  /** All events on success, those of the ante handler when a message failed, none when the ante handler did. */
  events: ChainEvent[]
  /** Encoded TxMsgData; empty on failure and in CheckTx. */
  data: Uint8Array
}

/** The result of a transaction that failed before or while it ran. */
export function failedTx(
  thrown: unknown,
  gas = { gasWanted: 0n, gasUsed: 0n },
  events: ChainEvent[] = []
): TxResult {
  const { code, codespace, message } = toAbciError(thrown)
  return { code, codespace, log: message, ...gas, events, data: new Uint8Array() }
}
