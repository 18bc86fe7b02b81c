import { devnetNames } from '../brand.ts'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'
import type { DevnetLedger } from '../ledger.ts'
import { answerQuery, hasuraError } from './answer.ts'
import { indexResolvers } from './resolvers.ts'
import { indexSchema } from './schema.ts'

const PATH = '/v1/graphql'

/**
 * The chain's GraphQL index (interface 9.10). It has its own port and answers a POST on any path.
 * @param lagBlocks how many blocks the index is behind the chain
 * @returns a server whose `url` is the endpoint, path included
 */
export async function createIndexServer(
  ledger: DevnetLedger,
  brand: string,
  lagBlocks: number,
  options: ListenOptions
): Promise<RunningServer> {
  const names = devnetNames(brand)
  const schema = indexSchema(names.indexHashField)
  const rootValue = indexResolvers(ledger, names, lagBlocks)
  const app = createApp()
  app.setErrorHandler((_error, _request, reply) =>
    reply.code(200).send({ errors: [hasuraError('the body is not JSON', '$', 'invalid-json')] })
  )
  app.post('/*', request => answerQuery(schema, rootValue, request.body))
  const server = await listen(app, options)
  return { ...server, url: server.url + PATH }
}
