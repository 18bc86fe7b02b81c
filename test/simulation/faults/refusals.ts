import type { Failure, Pause } from '../model-chain/execution.ts'

export const OUT_OF_GAS = {
  code: 11,
  codespace: 'sdk',
  log: 'out of gas in location: txSize; gasWanted: 1, gasUsed: 2: out of gas'
}

/** CheckTx responses that reject a transaction for a reason that has nothing to do with the transaction. */
export const PASSING_REFUSALS: readonly Failure[] = [
  { code: 20, codespace: 'sdk', log: 'mempool is full' },
  { code: 19, codespace: 'sdk', log: 'tx already in mempool' },
  { code: 7, codespace: 'priority-mempool', log: 'the lane is closed' },
  { code: 1, codespace: 'undefined', log: 'the node is not ready' },
  { code: 1, codespace: '', log: 'pool reached max tx capacity' }
]

/** Errors with which a paused chain rejects every request. */
export const PAUSES: readonly Pause[] = [
  { in: 'message', code: 1105, codespace: 'transaction', log: 'module is paused: unauthorized' },
  { in: 'message', code: 4, codespace: 'sdk', log: 'requests are halted: unauthorized' },
  { in: 'ante', code: 1, codespace: 'undefined', log: 'tx type not allowed' }
]
