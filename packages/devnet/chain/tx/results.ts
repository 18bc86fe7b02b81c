import { type AbciError, toAbciError } from '../errors.ts'
import type { ChainEvent } from '../events.ts'

/** The outcome of running a transaction in any mode. */
export interface RunResult {
  gasWanted: bigint
  gasUsed: bigint
  /** The failure, which discards all effects of the messages. */
  error: AbciError | undefined
  /** Encoded TxMsgData; empty on failure. */
  data: Uint8Array
  log: string
  /** All events on success, those of the ante handler when a message failed, none when the ante handler did. */
  events: ChainEvent[]
}

/** The outcome of CheckTx, as `broadcast_tx_sync` reports it. */
export interface CheckTxResult {
  code: number
  codespace: string
  log: string
  gasWanted: bigint
  gasUsed: bigint
  events: ChainEvent[]
}

/** The outcome of executing a transaction in a block (DeliverTx). `data` is an encoded TxMsgData, empty on failure. */
export interface TxResult extends CheckTxResult {
  data: Uint8Array
}

/** The result of a transaction that failed before or while it ran. */
export function failedRun(
  thrown: unknown,
  gas = { gasWanted: 0n, gasUsed: 0n },
  events: ChainEvent[] = []
): RunResult {
  const error = toAbciError(thrown)
  return { ...gas, error, data: new Uint8Array(), log: error.message, events }
}

export function toCheckTxResult({ error, log, gasWanted, gasUsed, events }: RunResult): CheckTxResult {
  return { code: error?.code ?? 0, codespace: error?.codespace ?? '', log, gasWanted, gasUsed, events }
}

export function toTxResult(run: RunResult): TxResult {
  return { ...toCheckTxResult(run), data: run.data }
}
