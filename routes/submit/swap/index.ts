import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SwapBody } from '../../../schemas/swap.ts'
import { createMessageTypes } from '../../../services/messages/index.ts'
import { swapAmounts } from '../../../services/requests/swap.ts'
import { submit, submitOptions } from '../submit-route.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  const { requestSwapTransaction } = createMessageTypes(app.config.SERVICE_BRAND)
  const kind = { readAmounts: swapAmounts, messageType: requestSwapTransaction }
  const documentation = {
    operationId: 'submitSwap',
    summary: 'Submit a stable-token swap to the chain',
    description:
      'Like a transfer, but with an amount in and an amount out, each in the decimals of its own token. A single ' +
      '`decimals` applies to both tokens and is rejected if their decimals differ.',
    body: SwapBody
  }
  const options = submitOptions(app.config.SERVICE_RESPONSE_FORMAT, documentation, 404)
  app.post('/', options, (request, reply) => submit(request, reply, kind))
}

export default routes
