import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { DevnetNames } from '../brand.ts'
import type { DevnetLedger } from '../ledger.ts'
import { liquidityJson, transactionJson } from './records.ts'

const schema = { params: Type.Object({ id: Type.String() }) }

const Page = Type.Object({
  'pagination.key': Type.Optional(Type.String()),
  'pagination.limit': Type.Optional(Type.String()),
  'pagination.reverse': Type.Optional(Type.String())
})

/** The Cosmos gRPC gateway's response. */
const NOT_FOUND = { code: 5, message: 'not found', details: [] }

/** Creates the routes that return transaction records by sequential id, as of the newest block. */
export function transactionRoutes(ledger: DevnetLedger, names: DevnetNames): FastifyPluginAsyncTypebox {
  function transaction(kind: 'transfer' | 'swap', id: number) {
    const record = ledger.transaction(kind, id, 0)
    return record && transactionJson(record, names)
  }

  return async app => {
    app.get('/transaction/htlc_locking_transaction', { schema: { querystring: Page } }, ({ query }) => {
      const { 'pagination.key': key = '', 'pagination.limit': limit = '100' } = query
      const locks = query['pagination.reverse'] === 'true' ? ledger.locks().reverse() : ledger.locks()
      const first = Number(Buffer.from(key, 'base64').toString())
      const end = first + Number(limit)
      const next_key = end < locks.length ? Buffer.from(String(end)).toString('base64') : null
      const pagination = { next_key, total: String(locks.length) }
      return { htlcLockingTransaction: locks.slice(first, end), pagination }
    })
    const one = (path: string, property: string, find: (id: number) => object | undefined) =>
      app.get(`${path}/:id`, { schema }, ({ params }, reply) => {
        const record = find(Number(params.id))
        return record ? { [property]: record } : reply.code(404).send(NOT_FOUND)
      })
    one('/transaction/transaction_data', 'transactionData', id => transaction('transfer', id))
    one('/swap/swap_data', 'swapData', id => transaction('swap', id))
    one('/transaction/liquidity_transaction_data', 'LiquidityTransactionData', id => {
      const record = ledger.liquidity(id)
      return record && liquidityJson(record, names)
    })
  }
}
