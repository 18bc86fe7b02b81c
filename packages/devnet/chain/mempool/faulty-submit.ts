import { AbciError } from '../errors.ts'
import { txHash } from '../hashes.ts'
import { failedTx, type TxResult } from '../tx/context.ts'
import type { Mempool } from './mempool.ts'

export type SubmitFault =
  /** CheckTx returns 0, but the transaction is dropped. If `cached`, its hash stays in the cache. */
  | { kind: 'drop'; cached: boolean }
  /** The transaction is accepted, and `meanwhile` makes something else fail. */
  | { kind: 'accept'; meanwhile: () => void }
  /** CheckTx fails with this error. */
  | { kind: 'refuse'; code: number; codespace: string; log: string }

/** Wraps the mempool to inject faults into a number of submissions. */
export function createFaultySubmit(mempool: Mempool) {
  let fault: SubmitFault | undefined
  let left = 0

  return {
    fail(next: SubmitFault, times: number): void {
      fault = next
      left = times
    },
    submit(bytes: Uint8Array): TxResult {
      if (!fault || left === 0) return mempool.add(bytes)
      left -= 1
      if (fault.kind === 'refuse') return failedTx(new AbciError(fault.codespace, fault.code, fault.log))
      const result = mempool.add(bytes)
      if (fault.kind === 'accept') fault.meanwhile()
      else if (result.code === 0) mempool.remove(txHash(bytes), fault)
      return result
    }
  }
}
