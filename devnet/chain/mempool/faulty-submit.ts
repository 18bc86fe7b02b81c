import { txHash } from '../hashes.ts'
import type { CheckTxResult } from '../tx/results.ts'
import type { Mempool } from './mempool.ts'

/** What goes wrong with a transaction that is handed in. */
export type SubmitFault =
  /** CheckTx answers 0, but nothing waits; `cached`: the hash is known from then on. */
  | { kind: 'drop'; cached: boolean }
  /** CheckTx answers this. */
  | { kind: 'refuse'; code: number; codespace: string; log: string }

/** The way into the mempool, with faults for the next few transactions. */
export function createFaultySubmit(mempool: Mempool) {
  let present: SubmitFault | undefined
  let left = 0

  function drop(bytes: Uint8Array, cached: boolean): CheckTxResult {
    const result = mempool.add(bytes)
    if (result.code === 0) mempool.remove(txHash(bytes), { cached })
    return result
  }

  return {
    fail(fault: SubmitFault, times: number): void {
      present = fault
      left = times
    },
    submit(bytes: Uint8Array): CheckTxResult {
      if (!present || left === 0) return mempool.add(bytes)
      left -= 1
      if (present.kind === 'drop') return drop(bytes, present.cached)
      const { code, codespace, log } = present
      return { code, codespace, log, gasWanted: 0n, gasUsed: 0n, events: [] }
    }
  }
}
