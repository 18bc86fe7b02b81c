import { toAbciError } from '../errors.ts'
import type { ChainEvent } from '../events.ts'
import type { State } from '../state/state.ts'

/** Why a transaction runs: mempool check, mempool recheck after a block, simulation or block execution. */
export type RunMode = 'check' | 'recheck' | 'simulate' | 'deliver'

/** The state, and the height of the current block or, in the mempool, of the last block. */
export interface RunContext {
  readonly state: State
  readonly height: number
}

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
