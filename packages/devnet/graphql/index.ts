import { Type } from '@sinclair/typebox'
import { type GraphQLError, graphql } from 'graphql'
import type { DevnetNames } from '../brand.ts'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'
import type { DevnetLedger } from '../ledger.ts'
import type { LiquidityRecord } from '../modules/transfer/liquidity.ts'
import type { TransactionRecord } from '../modules/transfer/record.ts'
import { indexSchema } from './schema.ts'

const PATH = '/v1/graphql'

const LAG_BLOCKS = 1

const Body = Type.Object({
  query: Type.String(),
  variables: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
})

/**
 * Starts the chain's GraphQL index (interface 9.10). Accepts a POST on any path. Errors have Hasura's format and HTTP
 * status 200.
 * @returns a server whose `url` includes the path of the endpoint
 */
export async function createIndexServer(
  ledger: DevnetLedger,
  names: DevnetNames,
  options: ListenOptions
): Promise<RunningServer> {
  const schema = indexSchema(names.indexHashField)
  const rootValue = indexResolvers(ledger, names)
  const app = createApp()
  app.setErrorHandler<Error>(({ message }, _request, reply) =>
    reply.code(200).send({ errors: [hasuraError(message, 'parse-failed')] })
  )
  app.post('/*', { schema: { body: Body } }, async ({ body: { query, variables } }) => {
    const { errors, data } = await graphql({ schema, rootValue, source: query, variableValues: variables })
    if (errors === undefined) return { data }
    return { errors: errors.map(({ message }: GraphQLError) => hasuraError(message, 'validation-failed')) }
  })
  const server = await listen(app, options)
  return { ...server, url: server.url + PATH }
}

const hasuraError = (message: string, code: string) => ({ message, extensions: { path: '$', code } })

interface Arguments {
  where: { tx_id: { _eq?: string | null } }
  limit?: number | null
}

function indexResolvers(ledger: DevnetLedger, { indexHashField }: DevnetNames) {
  const resolver =
    (find: (id: number) => TransactionRecord | LiquidityRecord | undefined) =>
    ({ where, limit }: Arguments): Row[] => {
      const record = find(Number(where.tx_id._eq ?? 0))
      return record === undefined ? [] : [rowOf(record, indexHashField)].slice(0, limit ?? undefined)
    }
  return {
    transaction_data: resolver(id => ledger.transaction('transfer', id, LAG_BLOCKS)),
    swap_data: resolver(id => ledger.transaction('swap', id, LAG_BLOCKS)),
    liquidity_transaction_data: resolver(id => ledger.liquidity(id))
  }
}

type Row = Record<string, unknown>

/** Converts a record to a row: lower-case names except those of a swap's amounts (interface 9.4, 9.12). */
function rowOf(record: TransactionRecord | LiquidityRecord, hashField: string): Row {
  const { id: tx_id, status: txstatus, txHash } = record
  const lower = Object.entries(record).map(([name, value]) => [name.toLowerCase(), value])
  return { ...record, ...Object.fromEntries(lower), tx_id, txstatus, [hashField]: txHash }
}
