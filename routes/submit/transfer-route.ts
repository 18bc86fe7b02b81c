import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { TransferBody } from '../../schemas/transfer.ts'
import { createMessageTypes } from '../../services/messages/index.ts'
import { prepareTransfer } from '../../services/requests/transfer.ts'
import { furtherChecks, submitPrepared, submitSchema, understood } from './pipeline.ts'

/** POST of a transfer, which has two paths (spec §4). */
export function transferRoute(operationId: string): FastifyPluginAsyncTypebox {
  return async app => {
    const { requestTransaction } = createMessageTypes(app.config.SERVICE_BRAND)
    app.post(
      '/',
      {
        schema: {
          ...submitSchema,
          operationId,
          summary: 'Submit a transfer to the chain',
          description:
            'Puts the transfer on the chain exactly once and waits for its block. A repeated request joins the ' +
            'submission that exists; one that is not decided in time goes on and is answered with 202.',
          body: TransferBody
        },
        preHandler: [
          async request => understood(request, requestTransaction, prepareTransfer(request.body, app.signer)),
          ...furtherChecks(app)
        ]
      },
      async (request, reply) => {
        const { status, body } = await submitPrepared(app, request)
        return reply.code(status).send(body)
      }
    )
  }
}
