import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { DevnetNames } from '../brand.ts'
import type { DevnetLedger } from '../ledger.ts'
import { liquidityJson, transactionJson } from './records.ts'

/** An error in the format of the Cosmos gRPC gateway: `{ code, message, details: [] }`, with a gRPC code. */
export class GatewayError extends Error {
  override name = 'GatewayError'
  readonly statusCode: number
  readonly grpcCode: number

  constructor(statusCode: number, grpcCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
    this.grpcCode = grpcCode
  }
}

const schema = { params: Type.Object({ id: Type.String() }) }

const Page = Type.Object({
  'pagination.key': Type.Optional(Type.String()),
  'pagination.limit': Type.Optional(Type.String()),
  'pagination.reverse': Type.Optional(Type.String())
})

/** Creates the routes that return transaction records by sequential id, as of the newest block. */
export function transactionRoutes(ledger: DevnetLedger, names: DevnetNames): FastifyPluginAsyncTypebox {
  function find(kind: 'transfer' | 'swap', id: string) {
    return transactionJson(existing(ledger.transaction(kind, parseId(id), 0)), names)
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
    app.get('/transaction/transaction_data/:id', { schema }, request => ({
      transactionData: find('transfer', request.params.id)
    }))
    app.get('/swap/swap_data/:id', { schema }, request => ({
      swapData: find('swap', request.params.id)
    }))
    app.get('/transaction/liquidity_transaction_data/:id', { schema }, request => {
      const record = existing(ledger.liquidity(parseId(request.params.id)))
      return { LiquidityTransactionData: liquidityJson(record, names) }
    })
  }
}

function existing<T>(record: T | undefined): T {
  if (record === undefined) throw new GatewayError(404, 5, 'not found')
  return record
}

/** @throws GatewayError with the gateway's message when the id is not a number */
function parseId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const cause = `strconv.ParseUint: parsing "${text}": invalid syntax`
  throw new GatewayError(400, 3, `type mismatch, parameter: id, error: ${cause}`)
}
