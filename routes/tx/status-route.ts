import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../schemas/errors.ts'
import { recordFields, statusAnswer, TxIdParams } from '../../schemas/transaction-record.ts'
import { brandNames } from '../../services/brand.ts'
import { whenThere } from '../../services/caches/soon.ts'
import { NotFoundError } from '../../services/errors/index.ts'
import type { StatusKind } from '../../services/status/index.ts'
import type { StatusRecord } from '../../services/status/record.ts'
import { statusResources } from '../../services/status/resources.ts'

/** GET of the status of one kind of transaction, by its sequential id (interface 9.1 to 9.3). */
export function statusRoute(
  kind: StatusKind,
  documentation: { operationId: string; summary: string; description: string }
): FastifyPluginAsyncTypebox {
  return async app => {
    const { SERVICE_ANSWER_FORMAT: format, SERVICE_BRAND: brand } = app.config
    const names = brandNames(brand)
    const { root } = statusResources(names)[kind]
    // All polls of a second get the same record.
    const bodies = new WeakMap<StatusRecord, string>()

    function bodyOf(record: StatusRecord): string {
      const known = bodies.get(record)
      if (known !== undefined) return known
      const body = JSON.stringify({ data: { [root]: format === 'documented' ? [record] : record } })
      bodies.set(record, body)
      return body
    }

    app.get(
      '/',
      {
        schema: {
          ...documentation,
          tags: ['status'],
          params: TxIdParams,
          response: {
            200: statusAnswer(root, recordFields(names.hashField)[kind]),
            ...errorResponses(400, 404, 502, 504)
          }
        },
        // The schema documents both forms, of which a serializer would have to choose one for each answer.
        serializerCompiler: () => JSON.stringify
      },
      (request, reply) => {
        const { txId } = request.params
        return whenThere(app.status.find(kind, txId), record => {
          if (record === undefined)
            throw new NotFoundError(`The chain has no transaction ${txId} of this kind`)
          return reply.type('application/json; charset=utf-8').send(bodyOf(record))
        })
      }
    )
  }
}
