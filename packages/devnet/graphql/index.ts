import { Type } from '@sinclair/typebox'
import { type GraphQLError, graphql } from 'graphql'
import { type DevnetNames, devnetNames } from '../brand.ts'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'
import type { DevnetLedger } from '../ledger.ts'
import { type IndexRecord, rowOf } from './records.ts'
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
  brand: string,
  options: ListenOptions
): Promise<RunningServer> {
  const names = devnetNames(brand)
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

function indexResolvers(ledger: DevnetLedger, names: DevnetNames) {
  function resolver(find: (id: number) => IndexRecord | undefined) {
    return ({ where, limit }: Arguments): IndexRecord[] =>
      [find(Number(where.tx_id._eq ?? 0))].filter(row => row !== undefined).slice(0, limit ?? undefined)
  }

  const transactions = (kind: 'transfer' | 'swap') =>
    resolver(id => {
      const record = ledger.transaction(kind, id, LAG_BLOCKS)
      return record && rowOf(record, names)
    })
  return {
    transaction_data: transactions('transfer'),
    swap_data: transactions('swap'),
    liquidity_transaction_data: resolver(id => {
      const record = ledger.liquidity(id)
      return record && rowOf(record, names)
    })
  }
}
