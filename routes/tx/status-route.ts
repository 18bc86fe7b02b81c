import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../schemas/errors.ts'
import { statusAnswer, TxIdParams } from '../../schemas/transaction-record.ts'
import { brandNames } from '../../services/brand.ts'
import { ServiceError } from '../../services/errors/index.ts'
import type { StatusKind } from '../../services/status/index.ts'
import { statusResources } from '../../services/status/resources.ts'

/** GET of the status of one kind of transaction, by its sequential id (interface 9.1 to 9.3). */
export function statusRoute(
  kind: StatusKind,
  documentation: { operationId: string; summary: string; description: string }
): FastifyPluginAsyncTypebox {
  return async app => {
    const names = brandNames(app.config.SERVICE_BRAND)
    const { root } = statusResources(names)[kind]
    app.get(
      '/',
      {
        schema: {
          ...documentation,
          tags: ['status'],
          params: TxIdParams,
          response: {
            200: statusAnswer(root, kind, names.hashField),
            ...errorResponses(400, 404, 502, 504)
          }
        },
        // The schema documents both forms, of which a serializer would have to choose one for each answer.
        serializerCompiler: () => JSON.stringify
      },
      async request => {
        const { txId } = request.params
        const record = await app.status.find(kind, txId)
        if (record === undefined)
          throw new ServiceError('NOT_FOUND', `The chain has no transaction ${txId} of this kind`)
        return app.statusBody(kind, record)
      }
    )
  }
}
