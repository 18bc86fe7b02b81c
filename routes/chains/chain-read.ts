import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import { NotModified } from '../../schemas/chains.ts'
import { errorResponses } from '../../schemas/errors.ts'
import type { Aged } from '../../services/caches/cached-read.ts'
import type { ChainService } from '../../services/chains/index.ts'
import { aged } from './aged.ts'

/**
 * GET of what the chain says about all chains, without parameters.
 * @param toBody the JSON body for what the service has read
 */
export function chainRead<T>(
  answer: TSchema,
  read: (chains: ChainService) => Promise<Aged<T>>,
  documentation: { operationId: string; summary: string; description: string },
  toBody: (value: T) => unknown = value => value
): FastifyPluginAsyncTypebox {
  return async app => {
    app.get(
      '/',
      {
        schema: {
          ...documentation,
          tags: ['chains'],
          response: { 200: answer, 304: NotModified, ...errorResponses(502, 504) }
        }
      },
      async (_request, reply) => toBody(aged(reply, await read(app.chains)))
    )
  }
}
