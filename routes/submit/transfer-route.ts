import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { TransferBody } from '../../schemas/transfer.ts'
import { createMessageTypes } from '../../services/messages/index.ts'
import { transferAmounts } from '../../services/requests/transfer.ts'
import { submit, submitSchema } from './submit-route.ts'

/** POST of a transfer, which has two paths (interface 6.1). */
export function transferRoute(operationId: string): FastifyPluginAsyncTypebox {
  return async app => {
    const { requestTransaction } = createMessageTypes(app.config.SERVICE_BRAND)
    const kind = { readAmounts: transferAmounts, messageType: requestTransaction }
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
        }
      },
      async (request, reply) => {
        const { status, body } = await submit(request, kind)
        return reply.code(status).send(body)
      }
    )
  }
}
