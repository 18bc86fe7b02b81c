import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SwapBody } from '../../../schemas/swap.ts'
import { createMessageTypes } from '../../../services/messages/index.ts'
import { prepareSwap } from '../../../services/requests/swap.ts'
import { furtherChecks, submitPrepared, submitSchema, understood } from '../pipeline.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  const { requestSwapTransaction } = createMessageTypes(app.config.SERVICE_BRAND)
  app.post(
    '/',
    {
      schema: {
        ...submitSchema,
        operationId: 'submitSwap',
        summary: 'Submit a stable-token swap to the chain',
        description:
          'As a transfer, but with an amount in and an amount out. Each is counted in the decimals of its own token; ' +
          'a single `decimals` speaks for both tokens and is refused where they differ.',
        body: SwapBody
      },
      preHandler: [
        async request => understood(request, requestSwapTransaction, prepareSwap(request.body, app.signer)),
        ...furtherChecks(app)
      ]
    },
    async (request, reply) => {
      const { status, body } = await submitPrepared(app, request)
      return reply.code(status).send(body)
    }
  )
}

export default routes
