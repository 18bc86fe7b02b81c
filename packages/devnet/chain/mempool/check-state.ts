import type { App } from '../app.ts'
import { Branch } from '../state/branch.ts'
import type { StateView } from '../state/state.ts'
import type { RunContext } from '../tx/context.ts'
import { type DecodedTx, decodeTx } from '../tx/decode.ts'
import { type CheckTxResult, failedRun, toCheckTxResult } from '../tx/results.ts'
import { runTx } from '../tx/run.ts'

/** The mempool's check state: the committed state with the changes of the waiting transactions. */
export interface CheckState {
  readonly context: RunContext
  checkTx(bytes: Uint8Array, hash: string, isRecheck: boolean): CheckTxResult
  /** Decodes a transaction. One that passed CheckTx is remembered, so the block need not decode it again. */
  decoded(bytes: Uint8Array, hash: string): DecodedTx
  /** Resets to the committed state, as every commit does. */
  reset(height: number, time: string): void
  forget(hash: string): void
}

/** @param stateAt the state after the block of a height, for a node that may be behind */
export function createCheckState(
  app: App,
  stateAt: (height: number) => StateView = () => app.store
): CheckState {
  let context: RunContext = { state: new Branch(stateAt(0)), height: 0, time: '' }
  const decodedTxs = new Map<string, DecodedTx>()

  function decoded(bytes: Uint8Array, hash: string): DecodedTx {
    return decodedTxs.get(hash) ?? decodeTx(bytes, app)
  }

  return {
    get context() {
      return context
    },
    decoded,
    checkTx(bytes, hash, isRecheck) {
      let tx: DecodedTx
      try {
        tx = decoded(bytes, hash)
      } catch (thrown) {
        return toCheckTxResult(failedRun(thrown))
      }
      const run = runTx(app, tx, isRecheck ? 'recheck' : 'check', context)
      if (run.error) decodedTxs.delete(hash)
      else decodedTxs.set(hash, tx)
      return toCheckTxResult(run)
    },
    reset(height, time) {
      context = { state: new Branch(stateAt(height)), height, time }
    },
    forget(hash) {
      decodedTxs.delete(hash)
    }
  }
}
