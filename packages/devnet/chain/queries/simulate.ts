import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { grpcError } from '../errors.ts'
import { Branch } from '../state/state.ts'
import type { App } from '../tx/app.ts'
import type { RunContext } from '../tx/context.ts'
import { runTx } from '../tx/run.ts'

/**
 * Implements Simulate of the tx service: runs the ante handler, without checking signatures or the minimum fee, and the
 * messages on a branch of the mempool's check state.
 * @throws AbciError 6 with the failure and the gas in its message
 */
export function simulate(app: App, request: Uint8Array, context: RunContext): Uint8Array {
  const { txBytes } = SimulateRequest.decode(request)
  if (txBytes.length === 0) throw grpcError('InvalidArgument', 'empty txBytes is not allowed')
  const branch = { ...context, state: new Branch(context.state) }
  const { code, gasWanted, gasUsed, data, log, events } = runTx(app, txBytes, 'simulate', branch)
  if (code !== 0) {
    // The SDK appends the source location where the error was wrapped.
    const text = `${log} [devnet/chain/tx/run.ts:1]`
    throw grpcError('Unknown', `${text} With gas wanted: '${gasWanted}' and gas used: '${gasUsed}' `)
  }
  const { msgResponses } = TxMsgData.decode(data)
  // The SDK sets `index` only on events in blocks.
  const unindexed = events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(attribute => ({ ...attribute, index: false }))
  }))
  return SimulateResponse.encode({
    gasInfo: { gasWanted, gasUsed },
    result: { data, log, events: unindexed, msgResponses }
  }).finish()
}
