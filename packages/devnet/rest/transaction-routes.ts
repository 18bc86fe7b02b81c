import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { DevnetNames } from '../brand.ts'
import type { DevnetLedger } from '../ledger.ts'
import { notFound, pathNumber } from './gateway-error.ts'
import { liquidityJson, transactionJson } from './records.ts'

const schema = { params: Type.Object({ id: Type.String() }) }

/** Creates the routes that return transaction records by sequential id, as of the newest block. */
export function transactionRoutes(ledger: DevnetLedger, names: DevnetNames): FastifyPluginAsyncTypebox {
  function find(kind: 'transfer' | 'swap', id: string) {
    const record = ledger.transaction(kind, pathNumber('id', id), 0)
    if (record === undefined) throw notFound()
    return transactionJson(record, names)
  }

  return async app => {
    app.get('/transaction/transaction_data/:id', { schema }, request => ({
      transactionData: find('transfer', request.params.id)
    }))
    app.get('/swap/swap_data/:id', { schema }, request => ({
      swapData: find('swap', request.params.id)
    }))
    app.get('/transaction/liquidity_transaction_data/:id', { schema }, request => {
      const record = ledger.liquidity(pathNumber('id', request.params.id))
      if (record === undefined) throw notFound()
      return { LiquidityTransactionData: liquidityJson(record, names) }
    })
  }
}
