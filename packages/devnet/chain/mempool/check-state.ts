import type { App } from '../app.ts'
import { Branch } from '../state/branch.ts'
import type { StateView } from '../state/state.ts'
import type { RunContext } from '../tx/context.ts'
import { type DecodedTx, decodeTx } from '../tx/decode.ts'
import type { TxResult } from '../tx/results.ts'
import { runTx } from '../tx/run.ts'

/**
 * Creates the mempool's check state: the committed state plus the changes of pending transactions.
 * @param stateAt returns the state after a block; a lagging node passes its own
 */
export function createCheckState(app: App, stateAt: (height: number) => StateView = () => app.store) {
  let context: RunContext = { state: new Branch(stateAt(0)), height: 0, time: '' }
  const decodedTxs = new Map<string, DecodedTx>()

  /** Decodes a transaction and caches it until `forget`, so that block execution need not decode it again. */
  function decoded(bytes: Uint8Array, hash: string): DecodedTx {
    const tx = decodedTxs.get(hash) ?? decodeTx(bytes, app)
    decodedTxs.set(hash, tx)
    return tx
  }

  return {
    get context(): RunContext {
      return context
    },
    decoded,
    checkTx(bytes: Uint8Array, hash: string, isRecheck: boolean): TxResult {
      const result = runTx(app, () => decoded(bytes, hash), isRecheck ? 'recheck' : 'check', context)
      if (result.code !== 0) decodedTxs.delete(hash)
      return result
    },
    /** Resets to the committed state. Called after every commit. */
    reset(height: number, time: string): void {
      context = { state: new Branch(stateAt(height)), height, time }
    },
    forget(hash: string): void {
      decodedTxs.delete(hash)
    }
  }
}
