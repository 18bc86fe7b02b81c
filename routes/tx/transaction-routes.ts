import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { brandNames } from '../../schemas/brand.ts'
import { errorResponses } from '../../schemas/errors.ts'
import { EventHeaders, eventResponses } from '../../schemas/events.ts'
import type { StatusKind } from '../../schemas/record-fields.ts'
import { statusResponse, TxIdParams } from '../../schemas/transaction-record.ts'
import { bodyOf, oncePerValue } from '../../services/caches/body.ts'
import { ServiceError } from '../../services/errors/index.ts'
import type { StatusRecord } from '../../services/status/record.ts'
import { sendBody } from '../send-body.ts'
import { sendEvents } from '../send-events.ts'

/**
 * Creates the routes for one kind of transaction: its status by sequential id (interface 9.1, 9.2), and the stream of
 * status changes (22.1).
 * @param documentation.name for operation ids
 * @param documentation.noun for summaries
 */
export function transactionRoutes(
  kind: StatusKind,
  { name, noun }: { name: string; noun: string }
): FastifyPluginAsyncTypebox {
  return async app => {
    const { SERVICE_BRAND, SERVICE_RESPONSE_FORMAT: format } = app.config
    const body = statusResponse(kind, brandNames(SERVICE_BRAND), format)
    const missing = (txId: string) => `The chain has no transaction ${txId} of this kind`
    const errors = errorResponses(400, 404, 502, 504)
    const shared = { tags: ['status'], params: TxIdParams }
    const only = format === 'widget' ? 'A swap' : 'A swap with the id of a transfer'
    const swaps = kind === 'transfer' ? ` ${only} has only its own route.` : ''
    const status = {
      ...shared,
      operationId: `get${name}Status`,
      summary: `Status of a ${noun}`,
      description:
        'Expects the sequential transaction id, which the submit call for a transfer or swap returns as `txId`. Polling once ' +
        `a second is enough.${swaps}`,
      response: { 200: body, ...errors }
    }
    const events = {
      ...shared,
      operationId: `get${name}Events`,
      summary: `Status of a ${noun} as it changes`,
      description:
        'Server-sent events: the current status, then each change, until a final status. Each event contains the response ' +
        'of the status route.',
      headers: EventHeaders,
      response: { ...eventResponses(body), ...errors }
    }
    const toBody = oncePerValue((record: StatusRecord, lock: object | undefined) =>
      bodyOf(JSON.stringify(app.statusBody(kind, record, lock)))
    )
    app.get('/status', { schema: status }, async ({ params: { txId } }, reply) => {
      const found = await app.status.find(kind, txId)
      if (found === undefined) throw new ServiceError('NOT_FOUND', missing(txId))
      return sendBody(reply, toBody(found.record, await app.lockOf(found.record)))
    })
    app.get('/events', { schema: events }, (request, reply) => {
      const { txId: id } = request.params
      return sendEvents(request, reply, { kind, id, missing: missing(id) })
    })
  }
}
