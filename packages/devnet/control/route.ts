import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { msgRequestResponse } from '../../../services/messages/index.ts'
import type { Chain } from '../chain/index.ts'

const Body = Type.Object({ feeId: Type.Optional(Type.String()), fault: Type.Optional(Type.String()) })

/** The faults that the playground can inject into the next transaction, by name. */
export type Faults = Readonly<Record<string, () => void>>

/** Creates the route for the playground, `POST /devnet`: injects a fault, and counts the executions in all blocks. */
export function controlRoute(chain: Chain, faults: Faults): FastifyPluginAsyncTypebox {
  return async app => {
    app.post('/devnet', { schema: { body: Body } }, ({ body: { feeId, fault = '' } }) => {
      faults[fault]?.()
      return { faults: Object.keys(faults), ...(feeId && { executed: countOf(chain, feeId) }) }
    })
  }
}

/** Counts the messages with a feeId that got a txId. A message that is refused by an `error` event gets none. */
function countOf(chain: Chain, feeId: string): number {
  let count = 0
  for (let height = 1; height <= chain.height; height++)
    for (const { bytes, result } of chain.block(height)?.txs ?? []) {
      const { messages } = TxBody.decode(TxRaw.decode(bytes).bodyBytes)
      for (const [index, response] of TxMsgData.decode(result.data).msgResponses.entries()) {
        const isExecuted = msgRequestResponse.decode(response.value).txId > 0n
        if (isExecuted && Buffer.from(messages[index]?.value ?? []).includes(feeId)) count += 1
      }
    }
  return count
}
