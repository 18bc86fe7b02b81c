import { Type } from '@sinclair/typebox'
import { type GraphQLError, graphql } from 'graphql'
import { devnetNames } from '../brand.ts'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'
import type { DevnetLedger } from '../ledger.ts'
import { indexResolvers } from './resolvers.ts'
import { indexSchema } from './schema.ts'

const PATH = '/v1/graphql'

const Body = Type.Object({
  query: Type.String(),
  variables: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
})

/**
 * The chain's GraphQL index (interface 9.10). It has its own port and accepts a POST on any path. Errors have Hasura's form
 * and HTTP status 200.
 * @returns a server whose `url` is the endpoint, path included
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
