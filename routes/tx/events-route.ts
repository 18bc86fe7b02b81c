import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '../../schemas/errors.ts'
import { EventHeaders, eventResponses } from '../../schemas/events.ts'
import { statusAnswer, TxIdParams } from '../../schemas/transaction-record.ts'
import { brandNames } from '../../services/brand.ts'
import type { StatusKind } from '../../services/status/index.ts'
import { statusResources } from '../../services/status/resources.ts'
import { sendEvents } from '../send-events.ts'

/** GET of the statuses of one kind of transaction as they change (interface 22.1). */
export function eventsRoute(
  kind: StatusKind,
  documentation: { operationId: string; summary: string }
): FastifyPluginAsyncTypebox {
  return async app => {
    const names = brandNames(app.config.SERVICE_BRAND)
    const { root } = statusResources(names)[kind]
    app.get(
      '/',
      {
        schema: {
          ...documentation,
          description:
            'Server-sent events: the present status, then each change, until a final one. Each event has what the status ' +
            'route answers.',
          tags: ['status'],
          params: TxIdParams,
          headers: EventHeaders,
          response: {
            ...eventResponses(statusAnswer(root, kind, names.hashField)),
            ...errorResponses(400, 404, 502, 504)
          }
        }
      },
      (request, reply) => {
        const { txId: id } = request.params
        return sendEvents(request, reply, {
          kind,
          id,
          missing: `The chain has no transaction ${id} of this kind`
        })
      }
    )
  }
}
